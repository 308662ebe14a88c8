"use strict";
// The page of a report: charts are drawn by Vega, of the jobs chosen, once they come near the view;
// charts over time move together; sentences and tables are of the same jobs.
const report = (() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const settings = read("settings");
  const { scale, labels, machine } = settings;
  const { number, percent, plural, significant, span, whole, writers } = words;
  const element = (id) => document.getElementById(id);

  const MEANS = 400; // stretches of time of which means are drawn
  const COLUMNS = 800; // of pixels, of which least and largest values are drawn
  const STRETCHES = 12; // of time in a table
  const MOST_USERS = 20; // in tables of users
  const MOST_PAYERS = 8; // with a bar of their own
  const SHORTEST = 10; // s that can be zoomed to
  const CLICK = 5; // pixels that a drag is longer than
  const [LETTER, MARK] = [6.5, 40]; // pixels of legends
  const CHARTS = {
    renderer: "svg", actions: false, ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true },
    logLevel: 1, // charts begin without rows, of which it would warn
  };

  let jobs, stored, picked;
  let parts = []; // sections with charts
  let series = []; // what to draw of the chosen jobs, by run
  const runs = [];
  const names = {};
  const chosen = { user: "", queue: "", class: "" };
  const hidden = new Set(); // labels of runs
  const time = { start: 0, end: scale.length }; // in view, in seconds since the first submission

  // ---- times: on the scale, which grows evenly, and by the clock, which is put forward and back

  function place(second) {
    return scale.first + second * scale.per_second;
  }

  function instant(second) {
    const at = place(second);
    if (!scale.dates) return `day ${at.toFixed(2)}`;
    const [, ahead] = scale.changes.findLast(([from]) => from <= at) ?? [0, 0];
    return new Date(at + ahead).toISOString().slice(0, 19).replace("T", " ");
  }

  // ---- step functions

  // Index of the last of ascending times that is not after a second; -1 if there is none.
  function before(times, second) {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= second) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function valueAt(line, second) {
    const last = before(line.time, second);
    return last < 0 ? 0 : line.value[last];
  }

  // Indices of the first, least, largest and last value of each column of pixels.
  function thinned(line, from, to) {
    const kept = [];
    const width = (time.end - time.start) / COLUMNS;
    for (let i = from; i <= to; ) {
      const column = Math.floor((line.time[i] - time.start) / width);
      const first = i;
      let least = i;
      let largest = i;
      for (; i <= to && Math.floor((line.time[i] - time.start) / width) === column; i++) {
        if (line.value[i] < line.value[least]) least = i;
        if (line.value[i] > line.value[largest]) largest = i;
      }
      const all = [first, Math.min(least, largest), Math.max(least, largest), i - 1];
      kept.push(...all.filter((each, j) => j === 0 || each > all[j - 1]));
    }
    return kept;
  }

  // Times and values between the ends of the view, one at either end.
  function stairs(line) {
    const from = before(line.time, time.start) + 1;
    const to = before(line.time, time.end);
    const few = to - from <= 4 * COLUMNS;
    const indices = few ? Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i) : thinned(line, from, to);
    return [
      [time.start, valueAt(line, time.start)],
      ...indices.map((i) => [line.time[i], line.value[i]]),
      [time.end, valueAt(line, time.end)],
    ];
  }

  // Mean, least and largest value of each of so many equal stretches of time.
  function means(line, begin, end, count) {
    const width = (end - begin) / count;
    let i = before(line.time, begin);
    let height = i < 0 ? 0 : line.value[i];
    i++;
    return Array.from({ length: count }, (_, bin) => {
      const stop = begin + (bin + 1) * width;
      let now = begin + bin * width;
      let [area, low, high] = [0, height, height];
      for (; i < line.time.length && line.time[i] < stop; i++) {
        area += height * (line.time[i] - now);
        now = line.time[i];
        height = line.value[i];
        low = Math.min(low, height);
        high = Math.max(high, height);
      }
      return { value: (area + height * (stop - now)) / width, low, high };
    });
  }

  function drawnSteps(line, averaged) {
    const changes = before(line.time, time.end) - before(line.time, time.start);
    if (!averaged || changes <= 2 * MEANS) return stairs(line).map(([second, value]) => ({ time: place(second), value }));
    const width = (time.end - time.start) / MEANS;
    const rows = means(line, time.start, time.end, MEANS).map((row, i) => ({ time: place(time.start + i * width), ...row }));
    return [...rows, { ...rows.at(-1), time: place(time.end) }];
  }

  // ---- rows of the charts, by the key of their section

  const byRun = (rows) => series.flatMap((each, i) => rows(each, i).map((row) => ({ ...row, run: labels[i] })));

  const overTime = (key) => byRun((each) => drawnSteps(each.steps(key), key !== "utility"));

  // Steps through a distribution, from 0 on: each value, and which percentage of all is at most it.
  function risen({ value, share }, factor = 1) {
    const rows = value.map((one, i) => ({ value: factor * one, share: 100 * share[i] }));
    return rows.length ? [{ ...rows[0], share: 0 }, ...rows] : rows;
  }

  // Metrics of each run divided by those of the first.
  function comparison() {
    return settings.comparison.flatMap(({ name, title, values: given }) => {
      const values = isFiltered() ? series.map((each) => each.metric(name) ?? NaN) : given;
      const ratios = values.map((each) => each / values[0]);
      if (!ratios.every((ratio) => ratio > 0 && ratio < Infinity)) return [];
      return ratios.slice(1).map((ratio, i) => ({ metric: title, run: labels[i + 1], ratio, text: significant(ratio) }));
    });
  }

  function users() {
    return byRun((each) => {
      const { user, jobs: count, hours, wait } = each.users();
      return user.map((one, i) => ({ user: userName(one), jobs: count[i], hours: hours[i], wait: wait[i] }));
    });
  }

  const billed = () => runs.flatMap((each, i) => ("charge" in each ? [i] : []));

  // Charge and utility of those who pay most under the first bill, and of all others together.
  function payers(most) {
    const all = billed().map((i) => ({ run: labels[i], rows: series[i].payers() }));
    const first = all[0].rows.slice(0, most).map(({ user }) => user);
    return all.map(({ run, rows }) => {
      const of = new Map(rows.map((each) => [each.user, each]));
      const named = first.map((user) => ({ charge: 0, utility: 0, ...of.get(user), payer: userName(user) }));
      const others = rows.filter(({ user }) => !first.includes(user));
      if (all[0].rows.length > most) {
        const total = (name) => others.reduce((sum, each) => sum + each[name], 0);
        const payer = `${whole(all[0].rows.length - most)} others`;
        named.push({ payer, charge: total("charge"), utility: total("utility") });
      }
      return { run, rows: named };
    });
  }

  const week = ({ start }) => (scale.dates ? instant(start).slice(0, 10) : `week ${Math.round(start / 604800) + 1}`);

  function weekly(key) {
    return byRun((each) => each.weekly(key.replace("weekly-", "")).map((row) => (
      { time: place(row.start + row.days * 43200), value: row.value, covered: row.days, week: week(row) })));
  }

  const ROWS = {
    comparison,
    utilisation: overTime,
    queue: overTime,
    utility: (key) => [
      ...overTime(key),
      ...Object.entries(settings.bounds).flatMap(([name, run]) => (
        stairs(series[0].steps(name)).map(([second, value]) => ({ time: place(second), value, run })))),
    ],
    waits: () => byRun((each) => risen(each.waits())),
    shares: () => byRun((each) => risen(each.shares(), 100)),
    users,
    lorenz: () => byRun((each) => {
      const curve = columns.lorenz(each.users().slowdown);
      return curve.users.map((one, i) => ({ users: 100 * one, slowdowns: 100 * curve.metric[i] }));
    }),
    "charges-user": () => payers(MOST_PAYERS).flatMap(({ run, rows }) => rows.map((row) => ({ ...row, run }))),
    "weekly-wait": weekly,
    "weekly-bounded-slowdown": weekly,
    "weekly-utilisation": weekly,
    "weekly-utility": weekly,
  };

  // What captions say in figures, by the key of their section.
  const TOLD = {
    utility: () => `Had no job waited: ${significant(series[0].steps("undelayed").value.at(-1) ?? 0)} SU.`,
    lorenz: () => {
      const all = series.map((each) => columns.lorenz(each.users().slowdown));
      return `${all.map(({ gini, jain }, i) => `${labels[i]}: Gini ${significant(gini)}, Jain ${significant(jain)}`).join("; ")}.`;
    },
    "charges-user": () => `${billed().map((i) => {
      const total = series[i].payers().reduce((sum, { charge }) => sum + charge, 0);
      return `${labels[i]}: ${significant(total)} SU in all by ${settings.mechanisms[i]}`;
    }).join("; ")}.`,
  };

  // ---- names and facts of jobs

  function nameOf(field, number) {
    return number < 0 ? "unknown" : (names[field].of.get(number) ?? `${number}`);
  }

  const userName = (number) => nameOf("user", number);

  function jobName(j) {
    return names.job.of.get(jobs.number[j]) ?? `${jobs.number[j]}`;
  }

  // What the log calls the user or the queue of a job.
  function called(field, j) {
    return [names[field].kind, nameOf(field, jobs[field][j])];
  }

  function facts(run, j) {
    const { submit, start, end, earned, ran, preemptions, failures } = run;
    const times = (count) => (count > 1 ? `${count} times` : "once");
    const again = end[j] - start[j] - ran[j];
    const share = percent(earned[j] / jobs.worth[j]);
    return [
      ["job", jobName(j)],
      called("user", j),
      called("queue", j),
      ["processors", whole(jobs.size[j])],
      ["submitted", instant(submit[j])],
      ["started", instant(start[j])],
      ["ended", instant(end[j])],
      ["waited", span(start[j] - submit[j])],
      ["ran", `${span(ran[j])} of ${span(jobs.request[j])} requested`],
      preemptions?.[j] > 0 && ["preempted", times(preemptions[j])],
      failures?.[j] > 0 && ["stopped by a failure", times(failures[j])],
      again > 0 && ["between its stretches", span(again)],
      jobs.worth[j] > 0 && ["earned", `${number(earned[j])} of ${number(jobs.worth[j])} SU (${share}%)`],
    ].filter(Boolean);
  }

  // For whom a stretch was stopped, and what that cost its job.
  function stopped({ spans, owner, kills }, stretch) {
    const job = owner(stretch);
    const k = kills ? kills.job.findIndex((each, i) => each === job && kills.until[i] === spans.until[stretch]) : -1;
    if (k < 0) return [];
    const cost = kills.cost[k] > 0 ? `, ${number(kills.cost[k])} SU taken` : "";
    const cause = `job ${jobName(kills.cause[k])} of ${called("user", kills.cause[k]).join(" ")}`;
    return [["this stretch", `stopped for ${cause}: ${span(kills.lost[k])} of work lost${cost}`]];
  }

  // Why a processor that runs nothing does so.
  function idle({ outages, causes }, second, processor) {
    const k = outages ? outages.low.findIndex((low, i) => low <= processor && processor < outages.high[i]
      && outages.from[i] <= second && second < outages.until[i]) : -1;
    return k < 0 ? "idle" : `down: ${causes[outages.cause[k]]} failed`;
  }

  // ---- the picture of the jobs

  const picture = {
    run: 0,
    colouring: "wait",
    bottom: 0,
    top: machine,
    pointed: -1,

    get part() { return parts.find(({ key }) => key === "gantt"); },
    get view() { return { ...time, bottom: this.bottom, top: this.top }; },

    // Kinds of the jobs by what they are coloured by; those that are not chosen have the last one.
    classify() {
      const { kind } = stored.get(`colour ${this.colouring} ${this.run}`) ?? stored.get(`colour ${this.colouring}`);
      const key = document.querySelector(`.classes[data-colour="${this.colouring}"]`);
      const names = [...key.querySelectorAll("[data-name]")].map((each) => each.dataset.name);
      this.kinds = new Uint8Array(kind.length).fill(names.length);
      for (const j of picked) this.kinds[j] = kind[j];
      this.names = [...names, "--rule"];
      for (const each of document.querySelectorAll(".classes[data-colour]")) each.hidden = each !== key;
      const title = document.querySelector("[name=colour]").selectedOptions[0].text;
      const which = isFiltered() ? "; the jobs chosen, others faint" : "";
      element("seen").textContent = `${labels[this.run]}, coloured by ${title}${which}.`;
    },

    paint() {
      const { view } = this.part;
      const style = getComputedStyle(document.documentElement);
      const paper = document.documentElement.classList.contains("paper");
      const shades = gantt.shades(this.names, (name) => (paper ? settings.light[name] : style.getPropertyValue(name)));
      if (view) gantt.paint(element("painted"), view, runs[this.run], this.kinds, shades, this.view);
    },

    rows() {
      const run = runs[this.run];
      const outlined = gantt.outline(run, this.pointed);
      const placed = (rows) => rows.map((row) => ({ ...row, from: place(row.from), until: place(row.until) }));
      const down = gantt.outages(run, this.view);
      element("crowded").hidden = down !== null;
      return {
        down: placed(down ?? []),
        stopped: placed(gantt.stops(run, this.view)),
        outlined: placed(outlined),
        joined: placed(gantt.links(outlined)),
      };
    },

    show() {
      const { view } = this.part;
      view.signal("low", this.bottom).signal("high", this.top);
      draw(this.part, this.rows());
      this.paint();
    },

    outline(job) {
      if (job === this.pointed) return;
      this.pointed = job;
      draw(this.part, this.rows());
    },

    // What is where it is pointed at.
    at(second, processor) {
      const run = runs[this.run];
      const rectangle = gantt.under(run, second, processor);
      const job = rectangle < 0 ? -1 : run.owner(run.span[rectangle]);
      this.outline(job);
      if (job >= 0) return [...facts(run, job), ...stopped(run, run.span[rectangle])];
      const processorIs = `${Math.floor(processor)}: ${idle(run, second, processor)}`;
      return [["time", instant(second)], ["processor", processorIs]];
    },

    point({ clientX, clientY }) {
      const [x, y] = inside(this.part, clientX, clientY);
      const tip = element("tip");
      tip.hidden = x < 0 || x > 1 || y < 0 || y > 1;
      if (tip.hidden) return this.outline(-1);
      const rows = this.at(time.start + x * (time.end - time.start), this.top - y * (this.top - this.bottom));
      tip.textContent = rows.map((pair) => pair.join(": ")).join("\n");
      tip.style.left = `${Math.min(clientX + 16, innerWidth - tip.offsetWidth - 8)}px`;
      tip.style.top = `${Math.min(clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
    },

    leave() {
      element("tip").hidden = true;
      this.outline(-1);
    },

    // The job of a number or name is outlined, and brought into view.
    find(wanted) {
      const [number] = [...names.job.of].find(([, name]) => name === wanted) ?? [Number(wanted || NaN)];
      const job = jobs.number.indexOf(number);
      if (job < 0) {
        element("found").textContent = `There is no job ${wanted}.`;
        return;
      }
      const { start, end } = runs[this.run];
      this.pointed = job;
      const rectangles = gantt.outline(runs[this.run], job);
      if (rectangles.length) {
        const [low, high] = [Math.min(...rectangles.map((each) => each.low)), Math.max(...rectangles.map((each) => each.high))];
        const margin = Math.max(high - low, 2);
        [this.bottom, this.top] = [Math.max(low - margin, 0), Math.min(high + margin, machine)];
      }
      const length = Math.max(end[job] - start[job], 60);
      move(start[job] - length, end[job] + length);
      element("found").textContent = facts(runs[this.run], job).map((pair) => pair.join(" ")).join(", ");
    },
  };

  // ---- what is in view

  function move(start, end) {
    const length = Math.min(Math.max(end - start, SHORTEST), scale.length);
    const first = Math.min(Math.max((start + end - length) / 2, 0), scale.length - length);
    Object.assign(time, { start: first, end: first + length });
    for (const part of parts) part.moved = part.timed;
    soon();
  }

  function showAll() {
    Object.assign(picture, { bottom: 0, top: machine, pointed: -1 });
    element("found").textContent = "";
    move(0, scale.length);
  }

  // Make the view so many times as long about a place in it, from 0 to 1.
  function zoom(factor, about) {
    const length = time.end - time.start;
    const fixedAt = time.start + about * length;
    move(fixedAt - about * factor * length, fixedAt + (1 - about) * factor * length);
  }

  const KEYS = {
    ArrowLeft: (length) => move(Math.max(time.start - length / 5, 0), Math.max(time.end - length / 5, length)),
    ArrowRight: (length) => {
      const by = Math.min(length / 5, scale.length - time.end);
      move(time.start + by, time.end + by);
    },
    "+": () => zoom(0.6, 0.5),
    "=": () => zoom(0.6, 0.5),
    "-": () => zoom(5 / 3, 0.5),
    0: showAll,
  };

  // Where a point of the page is in a chart: shares of its width and height, from the upper left.
  function inside({ view, place }, clientX, clientY) {
    const { left, top } = place.querySelector("svg").getBoundingClientRect();
    const [x, y] = view.origin();
    const { left: right, top: down } = view.padding();
    return [(clientX - left - x - right) / view.width(), (clientY - top - y - down) / view.height()];
  }

  // A box of the mouse, the wheel with Ctrl, two fingers, and keys change what is in view; one finger
  // scrolls the page.
  function zoomable(part) {
    const { place } = part;
    const box = document.createElement("div");
    box.className = "box";
    const fingers = new Map();
    let from = null;
    const share = (x) => Math.min(Math.max(x, 0), 1);
    const spread = () => {
      const [one, other] = [...fingers.values()].sort((a, b) => a - b);
      return { middle: (one + other) / 2, length: Math.max(other - one, 10) };
    };
    const drawBox = ({ clientX, clientY }) => {
      const { left, top } = place.getBoundingClientRect();
      const [x, y] = [Math.min(from.clientX, clientX) - left, Math.min(from.clientY, clientY) - top];
      box.style.cssText = `left:${x}px;top:${y}px;width:${Math.abs(clientX - from.clientX)}px;height:${Math.abs(clientY - from.clientY)}px`;
    };
    const zoomTo = (to) => {
      const [[x0, y0], [x1, y1]] = [from, to].map(({ clientX, clientY }) => inside(part, clientX, clientY).map(share));
      const { start, end } = time;
      if (part.key === "gantt" && Math.abs(to.clientY - from.clientY) > CLICK) {
        const { bottom, top } = picture;
        const [low, high] = [Math.max(y0, y1), Math.min(y0, y1)].map((y) => top - y * (top - bottom));
        Object.assign(picture, { bottom: Math.floor(low), top: Math.ceil(high) });
      }
      move(start + Math.min(x0, x1) * (end - start), start + Math.max(x0, x1) * (end - start));
    };
    place.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") fingers.set(event.pointerId, event.clientX);
      else if (event.button === 0) {
        from = event;
        place.setPointerCapture(event.pointerId);
      }
    });
    place.addEventListener("pointermove", (event) => {
      if (from) {
        if (Math.abs(event.clientX - from.clientX) > CLICK) place.append(box);
        drawBox(event);
      } else if (fingers.size === 2 && fingers.has(event.pointerId)) {
        const earlier = spread();
        fingers.set(event.pointerId, event.clientX);
        const now = spread();
        const [[about], [to]] = [earlier, now].map(({ middle }) => inside(part, middle, 0));
        const shift = (about - to) * (time.end - time.start);
        Object.assign(time, { start: time.start + shift, end: time.end + shift });
        zoom(earlier.length / now.length, share(to));
      } else if (part.key === "gantt") picture.point(event);
    });
    const ended = (event) => {
      fingers.delete(event.pointerId);
      if (!from) return;
      if (event.type === "pointerup" && Math.abs(event.clientX - from.clientX) > CLICK) zoomTo(event);
      from = null;
      box.remove();
    };
    for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, ended);
    place.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(2 ** (event.deltaY / 300), share(inside(part, event.clientX, 0)[0]));
    }, { passive: false });
    place.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
      KEYS[event.key](time.end - time.start);
      event.preventDefault();
    });
    if (part.key === "gantt") place.addEventListener("pointerleave", () => picture.leave());
  }

  // ---- which jobs are chosen, and what is said of them

  function isFiltered() {
    return Object.values(chosen).some((each) => each !== "");
  }

  function choose() {
    const wanted = Object.keys(chosen).filter((field) => chosen[field] !== "");
    const all = columns.upTo(jobs.size.length);
    picked = wanted.length
      ? all.filter((j) => wanted.every((field) => jobs[field][j] === Number(chosen[field]))) : all;
    series = runs.map((each, i) => columns.chosen(jobs, each, picked, { machine, ...settings.runs[i] }));
    const text = wanted.map((field) => `${field} ${document.querySelector(`[name=${field}]`).selectedOptions[0].text}`);
    if (element("chosen")) {
      element("chosen").textContent = wanted.length
        ? `${whole(picked.length)} of ${plural(all.length, "job")}: ${text.join(", ")}.` : `All ${plural(all.length, "job")}.`;
    }
    document.documentElement.classList.toggle("filtered", wanted.length > 0);
    for (const part of parts) part.stale = true;
    speak();
  }

  // Sentences and figures as they stand in the page, which are of all jobs; and those of the jobs
  // chosen, by the same rules.
  const given = {
    headline: [...document.querySelectorAll("#headline li")].map((each) => each.textContent),
    figures: [...document.querySelectorAll("#figures [data-metric]")].map((row) => [...row.cells].slice(1)
      .map((cell) => [cell.textContent, cell.className])),
  };

  function sentences() {
    return picked.length ? words.headline(labels, series.map((each) => each.metric)) : ["No job is chosen."];
  }

  function figures() {
    return [...document.querySelectorAll("#figures [data-metric]")].map(({ dataset: { metric, write } }) => {
      const values = series.map((each) => (each.has(metric) ? each.metric(metric) : NaN));
      if (values.every(Number.isNaN)) return null;
      const small = (value) => Math.abs(value - values[0]) <= settings.small * Math.abs(values[0]);
      return values.map((value, i) => [Number.isFinite(value) ? writers[write](value) : "-", i && small(value) ? "small" : ""]);
    });
  }

  function speak() {
    const filtered = isFiltered();
    const lines = filtered ? sentences() : given.headline;
    element("headline").firstElementChild.replaceChildren(...lines.map((line) => made("li", line)));
    link(element("headline"));
    const rows = [...document.querySelectorAll("#figures [data-metric]")];
    (filtered ? figures() : given.figures).forEach((cells, i) => {
      rows[i].hidden = !cells;
      cells?.forEach(([text, kind], place) => Object.assign(rows[i].cells[place + 1], { textContent: text, className: kind }));
    });
  }

  function made(name, text, attributes = {}) {
    return Object.assign(document.createElement(name), { textContent: text, ...attributes });
  }

  // Link the first mention of each term to its meaning.
  function link(place) {
    for (const [term, id] of settings.terms) {
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT, (node) => (
        node.parentElement.closest("a, button, dl") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
      const mention = new RegExp(`(?<![\\w-])${term}(?![\\w-])`, "i");
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const match = mention.exec(node.data);
        if (!match) continue;
        const rest = node.splitText(match.index);
        rest.splitText(match[0].length);
        rest.replaceWith(made("a", rest.data, { href: `#${id}`, className: "term", title: element(id).nextElementSibling.textContent }));
        break;
      }
    }
  }

  // ---- tables under charts, by the key of their section: headings and rows of texts

  const unit = { utilisation: "processors in use (%)", queue: "waiting jobs", utility: "utility so far (SU)" };

  function stretchTable(key) {
    const width = scale.length / STRETCHES;
    const values = series.map((each) => {
      const line = each.steps(key);
      if (key !== "utility") return means(line, 0, scale.length, STRETCHES).map(({ value }) => value);
      return Array.from({ length: STRETCHES }, (_, i) => valueAt(line, (i + 1) * width));
    });
    const rows = Array.from({ length: STRETCHES }, (_, i) => [
      instant(i * width).slice(0, 16), ...values.map((each) => number(each[i]))]);
    return [["from", ...labels.map((label) => `${label}: ${unit[key]}`)], rows];
  }

  function levelTable(name, levels, of) {
    const steps = series.map((each) => {
      const { value, share } = of(each);
      return { time: value, value: share };
    });
    const rows = levels.map(([text, level]) => [text, ...steps.map((each) => percent(valueAt(each, level)))]);
    return [[name, ...labels.map((label) => `${label} (% of jobs)`)], rows];
  }

  const WAITS = [["at once", 0], ["1 min", 60], ["10 min", 600], ["1 h", 3600], ["10 h", 36000], ["1 d", 86400], ["4 d", 345600]];
  const SHARES = [0, 10, 25, 50, 75, 90, 100].map((each) => [`${each}%`, each / 100]);

  function usersTable() {
    const all = series.map((each) => each.users());
    const [{ user, jobs: count, hours }] = all;
    const order = [...user.keys()].sort((i, k) => hours[k] - hours[i] || i - k).slice(0, MOST_USERS);
    const heads = ["user", "jobs", "processor-hours", ...labels.map((label) => `${label}: mean wait (h)`)];
    return [heads, order.map((i) => [
      userName(user[i]), whole(count[i]), whole(hours[i]), ...all.map(({ wait }) => number(wait[i] / 3600))])];
  }

  function payersTable() {
    const all = payers(MOST_USERS);
    const heads = ["user", ...all.flatMap(({ run }) => [`${run}: charge (SU)`, `${run}: utility (SU)`])];
    return [heads, all[0].rows.map(({ payer }, i) => [
      payer, ...all.flatMap(({ rows }) => [whole(rows[i].charge), whole(rows[i].utility)])])];
  }

  function weeklyTable(key) {
    const all = series.map((each) => each.weekly(key.replace("weekly-", "")));
    const longest = all.reduce((one, other) => (other.length > one.length ? other : one));
    const name = (row) => `${week(row)}${row.days < 6.5 ? ` (${row.days.toFixed(1)} of 7 d)` : ""}`;
    const value = (rows, { start }) => number(rows.find((row) => row.start === start)?.value);
    return [["week from", ...labels], longest.map((row) => [name(row), ...all.map((rows) => value(rows, row))])];
  }

  const TABLES = {
    utilisation: stretchTable,
    queue: stretchTable,
    utility: stretchTable,
    waits: () => levelTable("wait at most", WAITS, (each) => each.waits()),
    shares: () => levelTable("earned at most", SHARES, (each) => each.shares()),
    users: usersTable,
    "charges-user": payersTable,
    "weekly-wait": weeklyTable,
    "weekly-bounded-slowdown": weeklyTable,
    "weekly-utilisation": weeklyTable,
    "weekly-utility": weeklyTable,
  };

  function fill(details) {
    if (!details.open) return;
    const [heads, rows] = TABLES[details.dataset.table](details.dataset.table);
    const kind = (i) => ({ className: i ? "" : "text" });
    const head = made("tr", "");
    head.append(...heads.map((text, i) => made("th", text, kind(i))));
    const body = rows.map((texts) => {
      const row = made("tr", "");
      row.append(...texts.map((text, i) => made(i ? "td" : "th", text, kind(i))));
      row.querySelectorAll("td").forEach((cell, i) => { cell.dataset.label = heads[i + 1]; });
      return row;
    });
    const table = made("table", "");
    table.createTHead().append(head);
    table.createTBody().append(...body);
    details.querySelector("table").replaceWith(table);
  }

  const tables = () => document.querySelectorAll("[data-table]");

  // ---- charts that are drawn once they come near the view

  // Give a chart its rows, by name of data; those of hidden runs are left out.
  function draw({ view }, rows) {
    for (const [name, all] of Object.entries(rows)) view.data(name, all.filter(({ run }) => !hidden.has(run)));
    view.run();
  }

  // Legends have as many columns as there is room for.
  function fit(node) {
    if (node === null || typeof node !== "object") return;
    if (node.legend?.values) {
      const longest = Math.max(...node.legend.values.map((label) => label.length));
      node.legend.columns = { expr: `max(1, floor(width / ${LETTER * longest + MARK}))` };
    }
    Object.values(node).forEach(fit);
  }

  async function bring(part) {
    if (part.building) return;
    if (!part.view) {
      part.building = true;
      fit(part.specification);
      const { step } = part.specification.height ?? {}; // of each payer
      if (step) part.specification.height = step * payers(MOST_PAYERS)[0].rows.length;
      ({ view: part.view } = await vegaEmbed(part.place.lastElementChild, part.specification, CHARTS));
      part.building = false;
      if (part.key === "gantt") part.view.addResizeListener(() => picture.paint());
    }
    const { stale, moved, view, key, timed } = part;
    Object.assign(part, { stale: false, moved: false });
    if (timed) view.signal("begin", place(time.start)).signal("end", place(time.end));
    if (key === "gantt") {
      if (stale) picture.classify();
      picture.show();
    } else if (stale || moved) {
      view.resize(); // legends and the marks of scales take other room
      draw(part, { [key]: ROWS[key] ? ROWS[key](key) : part.rows });
      if (stale && TOLD[key]) element(`told-${key}`).textContent = TOLD[key]();
    }
  }

  function nearby() {
    for (const part of parts) if (part.near && (part.stale || part.moved)) bring(part);
  }

  // Draw the rest, part by part, while nothing else is to be done; `drawn` says when all is.
  let waiting = null;
  function later() {
    delete document.documentElement.dataset.drawn;
    waiting ??= rest().finally(() => {
      waiting = null;
      document.documentElement.dataset.drawn = Math.round(performance.now());
    });
    return waiting;
  }

  async function rest() {
    const due = () => parts.find(({ stale, moved }) => stale || moved);
    for (let part = due(); part; part = due()) {
      await new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
      await bring(part);
    }
  }

  let due = false;
  function soon() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      nearby();
      later();
    });
  }

  // Draw what is in view, then the rest while nothing else is to be done.
  async function drawAll() {
    for (const part of parts) {
      const { top, bottom } = part.place.getBoundingClientRect();
      part.near = top < innerHeight && bottom > 0;
      if (part.near) await bring(part);
    }
    const watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        const part = parts.find((each) => each.place === target);
        part.near = isIntersecting;
      }
      nearby();
    }, { rootMargin: "100%" });
    for (const part of parts) watch.observe(part.place);
    document.documentElement.dataset.ready = Math.round(performance.now());
    await later();
  }

  function again() {
    choose();
    for (const details of tables()) fill(details);
    soon();
  }

  // Hide a run in all charts, or show it again: scales fit those that are shown.
  function toggle(button) {
    const label = labels[button.dataset.run];
    button.ariaPressed = `${hidden.delete(label)}`;
    if (button.ariaPressed === "false") hidden.add(label);
    for (const part of parts) part.stale = true;
    soon();
  }

  // ---- paper is narrower than the screen and always light

  async function resize(paper) {
    if (document.documentElement.classList.contains("paper") === paper) return;
    document.documentElement.classList.toggle("paper", paper);
    await Promise.all(parts.map(({ view, place: { clientWidth } }) => view?.width(clientWidth).resize().runAsync()));
    picture.paint();
  }

  // ---- start

  function open() {
    jobs = stored.get("jobs");
    for (const field of ["user", "queue", "job"]) {
      const { number: numbers = [], name = [], kind = [field] } = stored.get(`names of ${field}`) ?? {};
      names[field] = { kind: kind[0] ?? field, of: new Map(Array.from(numbers, (each, i) => [each, name[i]])) };
    }
    for (let i = 0; stored.has(`run ${i}`); i++) runs.push(columns.opened(stored, i));
    parts = Object.entries(read("charts")).map(([key, specification]) => {
      const timed = specification.params?.some(({ name }) => name === "begin") ?? false;
      const part = { key, specification, timed, place: element(`chart-${key}`), rows: specification.data?.values };
      if (timed) {
        part.place.tabIndex = 0;
        zoomable(part);
      }
      return part;
    });
  }

  function listen() {
    const form = document.querySelector("#gantt .controls");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = element("wanted").value.trim();
      if (wanted) picture.find(wanted);
    });
    form.addEventListener("change", ({ target: { name, value } }) => {
      if (name === "run") picture.run = Number(value);
      else if (name === "colour") picture.colouring = value;
      else return;
      Object.assign(picture, { pointed: -1 });
      picture.part.stale = true;
      soon();
    });
    element("all").addEventListener("click", showAll);
    const filters = element("filters");
    filters?.addEventListener("change", ({ target }) => {
      chosen[target.name] = target.value;
      again();
    });
    filters?.addEventListener("reset", () => {
      for (const field of Object.keys(chosen)) chosen[field] = "";
      again();
    });
    for (const button of document.querySelectorAll("[data-run]")) button.addEventListener("click", () => toggle(button));
    for (const details of tables()) details.addEventListener("toggle", () => fill(details));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => picture.paint());
    matchMedia("print").addEventListener("change", ({ matches }) => resize(matches));
    window.addEventListener("beforeprint", () => resize(true));
    window.addEventListener("afterprint", () => resize(false));
  }

  window.addEventListener("DOMContentLoaded", async () => {
    stored = await columns.unpacked();
    open();
    for (const each of document.querySelectorAll("#figures tbody, figcaption")) link(each);
    choose();
    listen();
    await drawAll();
  });

  // For tests: what stands in the charts, what is said of the jobs chosen, and when.
  return {
    rows: (key, name = key) => parts.find((part) => part.key === key).view.data(name),
    sentences,
    figures,
    instant,
    time,
  };
})();
