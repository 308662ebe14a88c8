"use strict";
// The page of a report: charts are drawn by Vega, of the jobs chosen, once they come near the view;
// charts over time move together; sentences and tables are of the same jobs.
const report = (() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const settings = read("settings");
  const { scale, labels, machine } = settings;
  const { number, percent, plural, significant, span, whole, writers } = words;
  const page = document.documentElement;
  const element = (id) => document.getElementById(id);

  const MEANS = 400; // stretches of time of which means are drawn
  const MOST_ROWS = 20; // of a table
  const MOST_PAYERS = 8; // with a bar of their own
  const SHORTEST = 10; // s that can be zoomed to
  const CLICK = 5; // pixels that a drag is longer than
  const [LETTER, MARK, BESIDE] = [6.5, 40, 90]; // pixels of legends, and beside them
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

  // Heights between the ends of the view, one at either end.
  function stairs({ time: times, value }) {
    const first = before(times, time.start);
    const rows = [[time.start, value[first] ?? 0]];
    for (let i = first + 1; i <= before(times, time.end); i++) rows.push([times[i], value[i]]);
    rows.push([time.end, rows.at(-1)[1]]);
    return rows.map(([second, height]) => ({ time: place(second), value: height }));
  }

  // Mean, least and largest height of each of many equal stretches of the view.
  function means(line) {
    const width = (time.end - time.start) / MEANS;
    let i = before(line.time, time.start);
    let height = line.value[i++] ?? 0;
    const rows = Array.from({ length: MEANS }, (_, bin) => {
      const begin = time.start + bin * width;
      let [now, area, low, high] = [begin, 0, height, height];
      for (; i < line.time.length && line.time[i] < begin + width; i++) {
        area += height * (line.time[i] - now);
        now = line.time[i];
        height = line.value[i];
        low = Math.min(low, height);
        high = Math.max(high, height);
      }
      return { time: place(begin), value: (area + height * (begin + width - now)) / width, low, high };
    });
    return [...rows, { ...rows.at(-1), time: place(time.end) }];
  }

  function drawnSteps(line) {
    const changes = before(line.time, time.end) - before(line.time, time.start);
    return changes > 2 * MEANS ? means(line) : stairs(line);
  }

  // ---- rows of the charts, by the key of their section

  const byRun = (rows) => series.flatMap((each, i) => rows(each, i).map((row) => ({ ...row, run: labels[i] })));

  const overTime = (key) => byRun((each) => drawnSteps(each.steps(key)));

  // Steps through a distribution, from 0 on: each value, and which percentage of all is at most it.
  function risen({ value, share }, factor = 1) {
    const rows = value.map((one, i) => ({ value: factor * one, share: 100 * share[i] }));
    return rows.length ? [{ ...rows[0], share: 0 }, ...rows] : rows;
  }

  // Metrics of each run divided by those of the first.
  function comparison() {
    return settings.comparison.flatMap(({ name, title, values: given }) => {
      const values = isFiltered() ? series.map((each) => each.metric(name) ?? NaN) : given;
      const rows = values.map((each, i) => ({ metric: title, run: labels[i], ratio: each / values[0], text: significant(each / values[0]) }));
      return rows.slice(1).filter(({ ratio }) => ratio > 0 && ratio < Infinity);
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
  function payers() {
    const all = billed().map((i) => [labels[i], series[i].payers()]);
    const most = all[0][1].slice(0, MOST_PAYERS).map(({ user }) => user);
    const others = all[0][1].length - most.length;
    return all.flatMap(([run, rows]) => {
      const payer = new Map([...most, ...(others ? [null] : [])].map((user) => (
        [user, { run, payer: user === null ? `${whole(others)} others` : userName(user), charge: 0, utility: 0 }])));
      for (const { user, charge, utility } of rows) {
        const row = payer.get(user) ?? payer.get(null);
        if (row) Object.assign(row, { charge: row.charge + charge, utility: row.utility + utility });
      }
      return [...payer.values()];
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
        drawnSteps(series[0].steps(name)).map((row) => ({ ...row, run })))),
    ],
    waits: () => byRun((each) => risen(each.waits())),
    shares: () => byRun((each) => risen(each.shares(), 100)),
    users,
    lorenz: () => byRun((each) => {
      const curve = columns.lorenz(each.users().slowdown);
      return curve.users.map((one, i) => ({ users: 100 * one, slowdowns: 100 * curve.metric[i] }));
    }),
    "charges-user": payers,
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
    const { submit, start, end, earned, ran, preemptions, failures, cut } = run;
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
      cut?.[j] > 0 && ["killed", "before its work was done"],
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
      const style = getComputedStyle(page);
      const paper = page.classList.contains("paper");
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
    page.classList.toggle("filtered", wanted.length > 0);
    for (const part of parts) part.stale = true;
    speak();
  }

  function sentences() {
    return picked.length ? words.headline(labels, series.map((each) => each.metric)) : ["No job is chosen."];
  }

  // Texts of the figures by run, with those grey that differ little; null where nothing is known of
  // some jobs alone.
  function figures(filtered) {
    return settings.figures.map(({ metric, writer, values: all }) => {
      if (filtered && !series.some((each) => each.has(metric))) return null;
      const values = filtered ? series.map((each) => each.metric(metric) ?? NaN) : all.map((each) => each ?? NaN);
      const small = (value) => Math.abs(value - values[0]) <= settings.small * Math.abs(values[0]);
      return values.map((value, i) => [writers[writer](value), i && small(value) ? "small" : ""]);
    });
  }

  function speak() {
    element("headline").replaceChildren(...sentences().map((line) => made("li", line)));
    link(element("headline"));
    const rows = [...document.querySelectorAll("#figures [data-metric]")];
    figures(isFiltered()).forEach((cells, i) => {
      rows[i].hidden = !cells;
      cells?.forEach(([text, kind], run) => Object.assign(rows[i].cells[run + 1], { textContent: text, className: kind }));
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

  // ---- tables under charts, of their rows: who or when, what is the same in all runs, what is not

  const TABLES = {
    users: { of: "user", order: "hours", once: { jobs: ["jobs", whole], hours: ["processor-hours", whole] }, by: { wait: ["mean wait", span] } },
    "charges-user": { of: "payer", by: { charge: ["charge (SU)", number], utility: ["utility (SU)", number] } },
    weekly: { of: "week", by: { value: ["", number] } },
  };

  function fill(details) {
    if (!details.open) return;
    const key = details.dataset.table;
    const { of, order, once = {}, by } = TABLES[key] ?? TABLES.weekly;
    const rows = ROWS[key](key);
    if (order) rows.sort((one, other) => other[order] - one[order]);
    const distinct = (name) => [...new Set(rows.map((row) => row[name]))];
    const [titles, shown] = [Object.values(by), distinct("run")];
    const heads = [of, ...Object.values(once).map(([title]) => title),
      ...shown.flatMap((run) => titles.map(([title]) => (title ? `${run}: ${title}` : run)))];
    const written = (row, columns) => Object.entries(columns).map(([name, [, write]]) => write(row?.[name]));
    const body = distinct(of).slice(0, MOST_ROWS).map((each) => {
      const here = rows.filter((row) => row[of] === each);
      const cells = shown.flatMap((run) => written(here.find((row) => row.run === run), by));
      return [each, ...written(here[0], once), ...cells];
    });
    const line = (texts, inner) => {
      const row = made("tr", "");
      row.append(...texts.map((text, i) => made(i ? inner : "th", text, { className: i ? "" : "text" })));
      row.querySelectorAll("td").forEach((cell, i) => { cell.dataset.label = heads[i + 1]; });
      return row;
    };
    const table = made("table", "");
    table.createTHead().append(line(heads, "th"));
    table.createTBody().append(...body.map((texts) => line(texts, "td")));
    details.querySelector("table").replaceWith(table);
  }

  const tables = () => document.querySelectorAll("[data-table]");

  // ---- charts that are drawn once they come near the view

  // Give a chart its rows, by name of data; those of hidden runs are left out.
  function draw({ view }, rows) {
    for (const [name, all] of Object.entries(rows)) view.data(name, all.filter(({ run }) => !hidden.has(run)));
    view.run();
  }

  // Legends have as many columns as there is room for (pixels).
  function fit(node) {
    if (node === null || typeof node !== "object") return;
    if (node.legend?.values) {
      const longest = Math.max(...node.legend.values.map((label) => label.length));
      node.legend.columns = { expr: `max(1, floor(room / ${LETTER * longest + MARK}))` };
    }
    Object.values(node).forEach(fit);
  }

  const room = ({ key, place: { clientWidth } }) => clientWidth - (key === "comparison" ? 2 : 1) * BESIDE;

  async function bring(part) {
    if (!part.view) {
      fit(part.specification);
      part.specification.params = [...(part.specification.params ?? []), { name: "room", value: room(part) }];
      const { step } = part.specification.height ?? {}; // of each payer
      if (step) part.specification.height = step * new Set(payers().map(({ payer }) => payer)).size;
      ({ view: part.view } = await vegaEmbed(part.place.lastElementChild, part.specification, CHARTS));
      if (part.key === "gantt") part.view.addResizeListener(() => picture.paint());
    }
    const { stale, moved, view, key, timed } = part;
    view.signal("room", room(part));
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

  function inView({ place: chart }) {
    const { top, bottom } = chart.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  // Draw what is in view, then the rest while nothing else is to be done; `ready` and `drawn` say
  // when (ms).
  let drawing = false;
  async function drawAll() {
    if (drawing) return;
    drawing = true;
    for (;;) {
      const due = parts.filter(({ stale, moved }) => stale || moved);
      const part = due.find(inView);
      if (!part) page.dataset.ready ??= Math.round(performance.now());
      if (!due.length) break;
      if (!part) await new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
      await bring(part ?? due.find(inView) ?? due[0]);
    }
    page.dataset.drawn = Math.round(performance.now());
    drawing = false;
  }

  function soon() {
    delete page.dataset.drawn;
    requestAnimationFrame(drawAll);
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
    if (page.classList.contains("paper") === paper) return;
    page.classList.toggle("paper", paper);
    await Promise.all(parts.map((part) => part.view?.signal("room", room(part)).width(part.place.clientWidth).resize().runAsync()));
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
    element("more").addEventListener("click", ({ target }) => {
      const all = element("figures").classList.toggle("all");
      Object.assign(target, { ariaExpanded: `${all}`, textContent: all ? "Main figures" : "All figures" });
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => picture.paint());
    let width = innerWidth; // the height alone changes while telephones scroll
    window.addEventListener("resize", () => {
      if (innerWidth === width) return;
      width = innerWidth;
      for (const part of parts) part.moved = true;
      soon();
    });
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
    drawAll();
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
