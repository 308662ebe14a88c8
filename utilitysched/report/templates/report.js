"use strict";
// What the charts do that their library does not: they are drawn of the jobs chosen, once they come
// near the view; lines of many points are thinned or averaged, and rectangles painted, for the part
// in view.
const report = (() => {
  const settings = JSON.parse(document.getElementById("settings").textContent);
  const { scale, labels, machine } = settings;
  const MEANS = 400; // stretches of time of which means are drawn
  const COLUMNS = 1500; // of pixels, of which least and largest values are drawn
  const CELLS = [1600, 700]; // most columns and rows of the painted picture
  const GAP = 4; // jobs larger than so many pixels are drawn apart from their neighbours
  const BARS = 2000; // more ends of stretches cannot be told apart
  const FAINTEST = 0.12; // what is not quite idle is seen

  const LEAST = 10; // s: shorter times are drawn here on logarithmic scales
  const LEAST_HOURS = 0.01; // users with less are drawn here (processor-hours)
  const MOST_USERS = 20;
  const ALIKE = 5e-4; // ratios so near to 1 are as much as
  const SPREAD = 0.5; // of the marks of a row, in rows, so that none hides another
  // Marks of scales of ratios, of which the first is taken that goes far enough.
  const LADDERS = [
    [0.9, 0.95, 1, 1.05, 1.1],
    [0.5, 0.6, 0.8, 1, 1.25, 1.6, 2],
    [0.1, 0.2, 0.5, 1, 2, 5, 10],
    [0.001, 0.01, 0.1, 1, 10, 100, 1000],
  ];

  let page, time, processors, gantt, painted, outlined, joined, stops, down, jobs, stored;
  let views; // of all charts
  let parts = []; // sections with charts
  let series = []; // what to draw of the chosen jobs, by run
  let picked; // positions of the chosen jobs
  const names = {};
  const chosen = { user: "", queue: "", class: "" };
  let colouring = "wait";
  let colours = []; // of the classes of jobs, then that of jobs that are not chosen
  let kinds; // class of each job
  let run = 0;
  let pointed = -1;
  const runs = [];

  // ---- numbers and times for people

  function figures(value) {
    if (!Number.isFinite(value)) return "-";
    const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : 2;
    return value.toLocaleString("en", { maximumFractionDigits: digits });
  }

  // A time as people say it, to two units: 2 h 46 min.
  function span(seconds) {
    const minutes = Math.round(seconds / 60);
    const two = (large, unit, small, part) => `${figures(large)} ${unit}${small ? ` ${small} ${part}` : ""}`;
    if (Math.round(seconds) < 60) return `${Math.round(seconds)} s`;
    if (minutes < 60) return `${minutes} min`;
    if (minutes < 48 * 60) return two(Math.floor(minutes / 60), "h", minutes % 60, "min");
    const hours = Math.round(seconds / 3600);
    return two(Math.floor(hours / 24), "d", hours % 24, "h");
  }

  function significant(value) {
    return value.toLocaleString("en", { maximumSignificantDigits: 3 });
  }

  function beside(ratio) {
    if (Math.abs(ratio - 1) < ALIKE) return "as much as";
    if (ratio < 0 || ratio >= 2) return `${significant(ratio)} times as much as`;
    const percent = 100 * Math.abs(ratio - 1);
    return `${percent.toFixed(percent < 1 ? 2 : 1)}% ${ratio > 1 ? "more" : "less"} than`;
  }

  function instant(seconds) {
    const x = scale.first + seconds * scale.per_second;
    if (!scale.dates) return `day ${x.toFixed(3)}`;
    return new Date(x).toISOString().slice(0, 19).replace("T", " ");
  }

  function rows(pairs) {
    return pairs.map((pair) => pair.join(": ")).join("\n");
  }

  function seconds(x) {
    return (x - scale.first) / scale.per_second;
  }

  function place(second) {
    return scale.first + second * scale.per_second;
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

  // Indices of the first, least, largest and last value of each column of pixels.
  function thinned(line, from, to, begin, end) {
    const kept = [];
    const width = (end - begin) / COLUMNS;
    for (let i = from; i <= to; ) {
      const column = Math.floor((line.time[i] - begin) / width);
      const first = i;
      let least = i;
      let largest = i;
      for (; i <= to && Math.floor((line.time[i] - begin) / width) === column; i++) {
        if (line.value[i] < line.value[least]) least = i;
        if (line.value[i] > line.value[largest]) largest = i;
      }
      const chosen = [first, Math.min(least, largest), Math.max(least, largest), i - 1];
      kept.push(...chosen.filter((each, j) => j === 0 || each > chosen[j - 1]));
    }
    return kept;
  }

  function stairs(line, from, to, begin, end) {
    const indices = to - from > 4 * COLUMNS
      ? thinned(line, from, to, begin, end)
      : Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i);
    const x = [];
    const y = [];
    let height = from > 0 ? line.value[from - 1] : 0;
    for (const i of indices) {
      const at = place(Math.max(line.time[i], begin));
      x.push(at, at);
      y.push(height, line.value[i]);
      height = line.value[i];
    }
    x.push(place(end));
    y.push(height);
    return { x, y };
  }

  function means(line, from, to, begin, end) {
    const x = [];
    const y = [];
    const width = (end - begin) / MEANS;
    let i = from;
    let height = from >= 0 && line.time[from] <= begin ? line.value[from] : 0;
    if (line.time[i] <= begin) i++;
    for (let bin = 0; bin < MEANS; bin++) {
      const stop = begin + (bin + 1) * width;
      let now = begin + bin * width;
      let area = 0;
      for (; i <= to && line.time[i] < stop; i++) {
        area += height * (line.time[i] - now);
        now = line.time[i];
        height = line.value[i];
      }
      area += height * (stop - now);
      x.push(place(stop - width), place(stop));
      y.push(area / width, area / width);
    }
    return { x, y };
  }

  function drawLines({ key, lines }) {
    const begin = seconds(time.start);
    const end = seconds(time.end);
    for (const [i, line] of lines.entries()) {
      const from = Math.max(before(line.time, begin), 0);
      const to = before(line.time, end);
      const many = key === "utilisation" && to - from > 2 * MEANS;
      source(key, i).data = (many ? means : stairs)(line, from, to, begin, end);
    }
  }

  // What a chart over time says at the time that is pointed at.
  function at(key, unit, labels, { x }) {
    const second = seconds(x);
    const { lines } = parts.find((part) => part.key === key);
    const said = labels.map((label, i) => {
      const last = before(lines[i].time, second);
      return [label, `${figures(last < 0 ? 0 : lines[i].value[last])} ${unit}`];
    });
    return rows([["time", instant(second)], ...said]);
  }

  // ---- charts of the jobs chosen, by the key of their section

  function source(key, place) {
    return page.get_model_by_name(`drawn ${key} ${place}`);
  }

  function tell(key, text) {
    document.getElementById(`told-${key}`).textContent = text;
  }

  function overTime(part) {
    part.lines = series.map((each) => each[part.key]());
    if (part.key === "utility") part.lines.push(series[0].undelayed());
    part.show = drawLines;
  }

  // Steps through a distribution, from the bottom: each value at a place on the scale, and in words.
  function stepped(key, of, place, words) {
    series.forEach((each, i) => {
      const { value, share } = of(each);
      const y = share.flatMap((upper, k) => [k ? 100 * share[k - 1] : 0, 100 * upper]);
      const twice = (make) => value.flatMap((one) => [make(one), make(one)]);
      source(key, i).data = { x: twice(place), y, said: twice(words) };
    });
  }

  function users({ root }) {
    const found = series.map((each) => each.users());
    found.forEach((each, i) => {
      source("users", i).data = {
        x: Array.from(each.hours, (hours) => Math.max(hours, LEAST_HOURS)),
        y: Array.from(each.wait, (wait) => Math.max(wait, LEAST)),
        user: each.user.map(userName),
        run: each.user.map(() => labels[i]),
        jobs: [...each.jobs],
        said: Array.from(each.wait, span),
      };
    });
    upTo(root, found);
  }

  // The scale of mean waits reaches beyond the longest.
  function upTo(root, found) {
    const longest = found.flatMap(({ wait }) => [...wait]).reduce((most, each) => Math.max(most, each), 6 * LEAST);
    root.y_range.end = 1.3 * longest;
  }

  function fairness() {
    const found = series.map((each) => columns.lorenz(each.users().slowdown));
    found.forEach(({ users, metric }, i) => {
      source("fairness", i).data = { x: users.map((each) => 100 * each), y: metric.map((each) => 100 * each) };
    });
    const said = found.map(({ gini, jain }, i) => `${labels[i]}: Gini ${significant(gini)}, Jain ${significant(jain)}`);
    tell("fairness", isFiltered() ? `Jobs chosen: ${said.join("; ")}.` : "");
  }

  function charges({ root }) {
    const billed = runs.flatMap((each, i) => ("charge" in each ? [i] : []));
    const found = billed.map((i) => series[i].payers());
    const payers = found[0].slice(0, MOST_USERS).map(({ user }) => user);
    billed.forEach((i, k) => {
      const of = new Map(found[k].map((each) => [each.user, each]));
      const value = (name) => payers.map((user) => of.get(user)?.[name] ?? 0);
      source("charges", i).data = {
        x: value("charge"),
        y: payers.map((_, row) => row),
        utility: value("utility"),
        user: payers.map(userName),
        run: payers.map(() => labels[i]),
      };
    });
    nameRows(root, payers.map(userName));
  }

  function nameRows(root, texts) {
    const [axis] = root.left;
    axis.ticker.ticks = texts.map((_, row) => row);
    axis.major_label_overrides = new Map(texts.entries());
  }

  function weekly({ key }) {
    series.forEach((each, i) => {
      const drawn = source(key, i);
      const y = each.weekly(key.replace("weekly-", ""), drawn.get_length());
      drawn.data = { ...drawn.data, y };
    });
  }

  // Metrics of each run divided by those of the first, a row each.
  function comparison({ metrics }) {
    const ratios = metrics.map(([name]) => {
      const values = series.map((each) => each.metric(name));
      return values.map((each) => each / values[0]);
    });
    const drawn = ratios.map((row) => row.every((ratio) => Number.isFinite(ratio) && (ratio > 0 || !logarithmic())));
    series.forEach((_, i) => {
      const apart = SPREAD * (i / (series.length - 1) - 0.5);
      const of = (make) => ratios.map((row, k) => make(row[i], k));
      source("comparison", i).data = {
        x: of((ratio, k) => (drawn[k] ? ratio : NaN)),
        y: of((_, k) => k + apart),
        metric: metrics.map(([, title]) => title),
        run: metrics.map(() => labels[i]),
        said: of((ratio) => `${beside(ratio)} ${labels[0]}`),
      };
    });
    scaleRatios(ratios.filter((_, k) => drawn[k]).flat());
    const left = metrics.filter((_, k) => !drawn[k]).map(([, title]) => title);
    tell("comparison", left.length ? `Not drawn, as nothing can be divided by what ${labels[0]} has: ${left.join(", ")}.` : "");
  }

  function logarithmic() {
    return Boolean(page.get_model_by_name("ratio marks"));
  }

  // A scale with marks on both sides of 1.
  function scaleRatios(ratios) {
    const least = Math.min(1, ...ratios);
    const most = Math.max(1, ...ratios);
    const range = page.get_model_by_name("ratios");
    if (!logarithmic()) {
      range.setv({ start: least - 0.1 * (most - least), end: most + 0.1 * (most - least) });
      return;
    }
    const far = Math.max(most, 1 / least);
    const marks = LADDERS.find((each) => each.at(-1) >= far) ?? LADDERS.at(-1);
    const start = marks.findLast((mark) => mark < 1 && mark <= least) ?? marks[0];
    const end = marks.find((mark) => mark > 1 && mark >= most) ?? marks.at(-1);
    range.setv({ start: Math.min(start, least) / 1.03, end: 1.03 * Math.max(end, most) });
    page.get_model_by_name("ratio marks").ticks = marks.filter((mark) => start <= mark && mark <= end);
  }

  const whole = () => {}; // what is drawn whatever jobs are chosen

  const DRAWN = {
    comparison,
    gantt: (part) => { classify(); drawOutages(); part.show = paint; },
    utilisation: overTime,
    queue: overTime,
    utility: overTime,
    weekly,
    waits: () => stepped("waits", (each) => each.waits(), (wait) => Math.max(wait, LEAST), span),
    shares: () => stepped("shares", (each) => each.shares(), (share) => 100 * share, (share) => `${(100 * share).toFixed(1)}%`),
    users,
    fairness,
    charges,
    convergence: whole,
  };

  // ---- which jobs are chosen

  function isFiltered() {
    return Object.values(chosen).some((each) => each !== "");
  }

  function choose() {
    const wanted = Object.keys(chosen).filter((field) => chosen[field] !== "");
    const all = columns.upTo(jobs.size.length);
    picked = wanted.length
      ? all.filter((j) => wanted.every((field) => jobs[field][j] === Number(chosen[field]))) : all;
    series = runs.map((each, i) => columns.chosen(jobs, each, picked, { machine, tau: settings.tau[i] }));
    const said = document.getElementById("chosen");
    if (said) {
      const only = wanted.map((field) => `${field} ${document.querySelector(`[name=${field}]`).selectedOptions[0].text}`);
      const count = `${figures(picked.length)} of ${figures(all.length)} jobs`;
      said.textContent = wanted.length
        ? `${count} (${only.join(", ")}): charts show these; sentences and tables are of all jobs.` : `All ${figures(all.length)} jobs.`;
    }
    for (const part of parts) part.stale = true;
  }

  // ---- charts that are drawn once they come near the view

  async function bring(part) {
    if (part.stale) {
      part.stale = false;
      DRAWN[part.key.startsWith("weekly-") ? "weekly" : part.key](part);
      part.moved = true;
    }
    if (part.moved) {
      part.moved = false;
      part.show?.(part);
    }
    if (part.view === undefined) {
      part.view = null;
      const view = await views.build_view(part.root);
      view.build(part.place);
      part.view = view;
    }
  }

  function nearby() {
    for (const part of parts) if (part.near) bring(part);
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
    const due = () => parts.find(({ stale, moved, view }) => stale || moved || view === undefined);
    for (let part = due(); part; part = due()) {
      await new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
      await bring(part);
    }
  }

  function isInView({ place }) {
    const { top, bottom } = place.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }

  // Draw what is in view, then the rest while nothing else is to be done.
  async function drawAll() {
    for (const part of parts) {
      part.near = isInView(part);
      if (part.near) await bring(part);
    }
    const watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        const part = parts.find(({ place }) => place === target);
        part.near = isIntersecting;
        if (part.near) bring(part);
      }
    }, { rootMargin: "100%" });
    for (const { place } of parts) watch.observe(place);
    document.documentElement.dataset.ready = Math.round(performance.now());
    await later();
  }

  // ---- jobs on their processors

  // Classes of the jobs by what they are coloured by; those that are not chosen have the last one.
  function classify() {
    const { kind } = stored.get(`colour ${colouring} ${run}`) ?? stored.get(`colour ${colouring}`);
    const key = document.querySelector(`.classes[data-colour="${colouring}"]`);
    const swatches = [...key.querySelectorAll("span")].slice(0, Math.max(...new Set(kind)) + 1);
    colours = [...swatches.map((each) => each.style.background.slice(4, -1)), "--rule"];
    kinds = new Uint8Array(kind.length).fill(swatches.length);
    for (const j of picked) kinds[j] = kind[j];
    for (const each of document.querySelectorAll(".classes[data-colour]")) each.hidden = each !== key;
    const title = document.querySelector("[name=colour]").selectedOptions[0].text;
    const which = isFiltered() ? "; the jobs chosen, others faint" : "";
    document.getElementById("seen").textContent = `${labels[run]}, coloured by ${title}${which}.`;
  }

  // Area of each cell that jobs of each class cover, class after class, row after row from below.
  function covered(columns, lines, ratio) {
    const size = columns * lines;
    const areas = new Float32Array(colours.length * size);
    const { span, spans, owner, low, high } = runs[run];
    const [left, right] = [seconds(time.start), seconds(time.end)];
    const [bottom, top] = [processors.start, processors.end];
    const across = columns / (right - left);
    const up = lines / (top - bottom);
    for (let i = 0; i < span.length; i++) {
      const from = spans.from[span[i]];
      const until = spans.until[span[i]];
      if (until <= left || from >= right || high[i] <= bottom || low[i] >= top) continue;
      const wide = (until - from) * across > GAP * ratio ? ratio : 0;
      const tall = (high[i] - low[i]) * up > GAP * ratio ? ratio : 0;
      const x0 = Math.max((from - left) * across, 0);
      const x1 = Math.min((until - left) * across - wide, columns);
      const y0 = Math.max((low[i] - bottom) * up, 0);
      const y1 = Math.min((high[i] - bottom) * up - tall, lines);
      const layer = kinds[owner(span[i])] * size;
      for (let y = Math.floor(y0); y < y1; y++) {
        const height = Math.min(y + 1, y1) - Math.max(y, y0);
        const row = layer + y * columns;
        for (let x = Math.floor(x0); x < x1; x++) {
          areas[row + x] += height * (Math.min(x + 1, x1) - Math.max(x, x0));
        }
      }
    }
    return areas;
  }

  function pixels(areas, size, shades) {
    const found = new Uint32Array(size);
    for (let cell = 0; cell < size; cell++) {
      let sum = 0;
      let most = 0;
      for (let kind = 0; kind < shades.length; kind++) {
        const area = areas[kind * size + cell];
        sum += area;
        if (area > areas[most * size + cell]) most = kind;
      }
      if (sum > 0.002) {
        const alpha = Math.round(255 * Math.min(Math.max(sum, FAINTEST), 1));
        found[cell] = ((alpha << 24) | shades[most]) >>> 0;
      }
    }
    return found;
  }

  // Colours of the classes as blue << 16 | green << 8 | red.
  function shades() {
    return colours.map((name) => {
      const [red, green, blue] = variable(name).match(/[0-9a-f]{2}/gi);
      return parseInt(blue + green + red, 16);
    });
  }

  function paint() {
    if (gantt.properties.inner_width.is_unset) return; // it is painted once it has a size
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const columns = Math.min(Math.max(Math.round(gantt.inner_width * ratio), 1), CELLS[0]);
    const lines = Math.min(Math.max(Math.round(gantt.inner_height * ratio), 1), CELLS[1]);
    const found = pixels(covered(columns, lines, ratio), columns * lines, shades());
    const NDArray = painted.get_column("image")[0].constructor;
    painted.data = {
      image: [new NDArray(found.buffer, [lines, columns])],
      x: [time.start],
      y: [processors.start],
      dw: [time.end - time.start],
      dh: [processors.end - processors.start],
    };
    drawStops();
  }

  // A bar at the end of each stretch after which a job was stopped and went on later, unless there
  // are too many to be told apart.
  function drawStops() {
    const data = { x0: [], y0: [], x1: [], y1: [] };
    const { span, spans, low, high, end } = runs[run];
    const [left, right] = [seconds(time.start), seconds(time.end)];
    for (let i = 0; spans.job && i < span.length; i++) {
      const at = spans.until[span[i]];
      if (at >= end[spans.job[span[i]]] || at < left || at > right) continue;
      data.x0.push(place(at));
      data.x1.push(place(at));
      data.y0.push(low[i]);
      data.y1.push(high[i]);
    }
    const none = data.x0.length > BARS;
    stops.data = none ? { x0: [], y0: [], x1: [], y1: [] } : data;
  }

  function under(second, processor) {
    const { span, spans, low, high } = runs[run];
    return span.findIndex((each, i) => low[i] <= processor && processor < high[i]
      && spans.from[each] <= second && second < spans.until[each]);
  }

  function outline(wanted) {
    pointed = wanted;
    const data = { left: [], right: [], bottom: [], top: [] };
    const { span, spans, owner, low, high } = runs[run];
    for (let i = 0; wanted >= 0 && i < span.length; i++) {
      if (owner(span[i]) !== wanted) continue;
      data.left.push(place(spans.from[span[i]]));
      data.right.push(place(spans.until[span[i]]));
      data.bottom.push(low[i]);
      data.top.push(high[i]);
    }
    outlined.data = data;
    joined.data = links(data);
  }

  // Lines from each stretch of a job to its next one.
  function links({ left, right, bottom, top }) {
    const data = { x0: [], y0: [], x1: [], y1: [] };
    const order = [...left.keys()].sort((a, b) => left[a] - left[b]);
    order.slice(1).forEach((to, i) => {
      const from = order[i];
      if (left[to] < right[from]) return; // beside it, not after it
      data.x0.push(right[from]);
      data.y0.push((bottom[from] + top[from]) / 2);
      data.x1.push(left[to]);
      data.y1.push((bottom[to] + top[to]) / 2);
    });
    return data;
  }

  // Where processors of the chosen run are down.
  function drawOutages() {
    const { from, until, low, high } = runs[run].outages ?? { from: [], until: [], low: [], high: [] };
    const places = (seconds) => Array.from(seconds, place);
    down.data = { left: places(from), right: places(until), bottom: [...low], top: [...high] };
  }

  // Why a processor that runs nothing does so.
  function idle(second, processor) {
    const { outages, causes } = runs[run];
    const hit = (i) => outages.from[i] <= second && second < outages.until[i]
      && outages.low[i] <= processor && processor < outages.high[i];
    const found = outages ? Array.from(outages.low.keys()).find(hit) : undefined;
    return found === undefined ? "idle" : `down: ${causes[outages.cause[found]]} failed`;
  }

  function nameOf(field, number) {
    return number < 0 ? "unknown" : (names[field].of.get(number) ?? `${number}`);
  }

  function jobName(j) {
    return names.job.of.get(jobs.number[j]) ?? `${jobs.number[j]}`;
  }

  function userName(number) {
    return nameOf("user", number);
  }

  // What the log calls the user or the queue of a job.
  function called(field, j) {
    return [names[field].kind, nameOf(field, jobs[field][j])];
  }

  function facts(j) {
    const { submit, start, end, earned, ran, preemptions, failures } = runs[run];
    const length = ran[j];
    const pairs = [
      ["job", jobName(j)],
      called("user", j),
      called("queue", j),
      ["processors", figures(jobs.size[j])],
      ["submitted", instant(submit[j])],
      ["started", instant(start[j])],
      ["ended", instant(end[j])],
      ["waited", span(start[j] - submit[j])],
      ["ran", `${span(length)} of ${span(jobs.request[j])} requested`],
    ];
    const times = (count) => (count > 1 ? `${count} times` : "once");
    if (preemptions && preemptions[j] > 0) pairs.push(["preempted", times(preemptions[j])]);
    if (failures && failures[j] > 0) pairs.push(["stopped by a failure", times(failures[j])]);
    const again = end[j] - start[j] - length;
    if (again > 0) pairs.push(["between its stretches", span(again)]);
    if (jobs.worth[j] > 0) {
      const share = figures((100 * earned[j]) / jobs.worth[j]);
      pairs.push(["earned", `${figures(earned[j])} of ${figures(jobs.worth[j])} SU (${share}%)`]);
    }
    return pairs;
  }

  // For whom a stretch was stopped, and what that cost its job.
  function stopped(rectangle) {
    const { span: spanOf, spans, owner, kills } = runs[run];
    if (!kills) return [];
    const stretch = spanOf[rectangle];
    const mine = (k) => kills.job[k] === owner(stretch) && kills.until[k] === spans.until[stretch];
    const k = Array.from(kills.job.keys()).find(mine);
    if (k === undefined) return [];
    const cost = kills.cost[k] > 0 ? `, ${figures(kills.cost[k])} SU taken` : "";
    const cause = `job ${jobName(kills.cause[k])} of ${called("user", kills.cause[k]).join(" ")}`;
    return [["this stretch", `stopped for ${cause}: ${span(kills.lost[k])} of work lost${cost}`]];
  }

  // What the picture of the jobs says where it is pointed at.
  function job({ x, y }) {
    const rectangle = under(seconds(x), y);
    const found = rectangle < 0 ? -1 : runs[run].owner(runs[run].span[rectangle]);
    if (found !== pointed) outline(found);
    if (found < 0) {
      const said = `${Math.floor(y)}: ${idle(seconds(x), y)}`;
      return rows([["time", instant(seconds(x))], ["processor", said]]);
    }
    return rows([...facts(found), ...stopped(rectangle)]);
  }

  // The job of a number or name is outlined, and brought into view.
  function show(wanted) {
    const byName = [...names.job.of].find(([, name]) => name === wanted);
    const found = jobs.number.indexOf(byName ? byName[0] : Number(wanted || NaN));
    const answer = document.getElementById("found");
    if (found < 0) {
      answer.textContent = `There is no job ${wanted}.`;
      return;
    }
    outline(found);
    const { start, end } = runs[run];
    const { bottom, top } = outlined.data;
    const length = Math.max(end[found] - start[found], 60);
    view(place(start[found] - length), place(end[found] + length));
    const [low, high] = [Math.min(...bottom), Math.max(...top)];
    if (bottom.length) {
      const margin = Math.max(high - low, 2);
      clamp(processors, low - margin, high + margin);
    }
    answer.textContent = facts(found).map((pair) => pair.join(" ")).join(", ");
  }

  // ---- what is in view

  function clamp(range, start, end) {
    const [least, most] = range.bounds;
    range.setv({ start: Math.max(start, least), end: Math.min(end, most) });
  }

  function view(start, end) {
    const least = time.min_interval;
    const middle = (start + end) / 2;
    const [low, high] = end - start < least ? [middle - least / 2, middle + least / 2] : [start, end];
    clamp(time, low, high);
  }

  function showAll() {
    time.setv({ start: time.bounds[0], end: time.bounds[1] });
    processors.setv({ start: processors.bounds[0], end: processors.bounds[1] });
    outline(-1);
    document.getElementById("found").textContent = "";
  }

  const KEYS = {
    ArrowLeft: [-0.2, -0.2],
    ArrowRight: [0.2, 0.2],
    "+": [0.2, -0.2],
    "=": [0.2, -0.2],
    "-": [-1 / 3, 1 / 3],
  };

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const length = time.end - time.start;
    if (event.key === "0") showAll();
    else if (event.key in KEYS) {
      let [left, right] = KEYS[event.key].map((share) => share * length);
      if (left === right) {
        left = right = Math.min(Math.max(left, time.bounds[0] - time.start), time.bounds[1] - time.end);
      }
      view(time.start + left, time.end + right);
    } else return;
    event.preventDefault();
  }

  // ---- colours of the page, on screen and on paper

  function variable(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function colour() {
    for (const model of page.all_models) {
      if (!/^ink-\d$/.test(model.name ?? "")) continue;
      const shade = variable(`--${model.name}`);
      model.line_color = shade;
      if ("fill_color" in model.attributes && model.fill_alpha !== 0) model.fill_color = shade;
    }
  }

  // Hide a run in all charts that draw it, or show it again.
  function hide(place, hidden) {
    for (const button of document.querySelectorAll(`[data-run="${place}"]`)) button.ariaPressed = `${!hidden}`;
    for (const model of page.all_models) {
      if (model.name === `run ${place}`) model.visible = !hidden;
    }
  }

  function drawnViews() {
    return parts.filter(({ view }) => view);
  }

  function recolour() {
    colour();
    paint();
    for (const { view } of drawnViews()) view.request_repaint();
  }

  // Paper is narrower than the screen and always light. Charts are drawn for it as shapes, which
  // printers render sharper than pixels, and which stand there for as long as it takes.
  function toPaper() {
    const root = document.documentElement;
    if (root.classList.contains("paper")) return;
    root.classList.add("paper");
    for (const { view } of drawnViews()) view.after_resize();
    showMoved();
    colour();
  }

  function showMoved() {
    for (const part of parts) part.show?.(part);
  }

  // Apart from the above, since the library takes colours over once a listener has returned.
  function copyToPaper() {
    if (document.querySelector(".printed")) return;
    for (const { view, place } of drawnViews()) {
      const { canvas, bbox } = view.export("svg");
      canvas.setAttribute("viewBox", `0 0 ${bbox.width} ${bbox.height}`);
      canvas.setAttribute("class", "printed");
      place.after(canvas);
    }
  }

  function toScreen() {
    const root = document.documentElement;
    if (!root.classList.contains("paper")) return;
    root.classList.remove("paper");
    for (const each of document.querySelectorAll(".printed")) each.remove();
    for (const { view } of drawnViews()) view.after_resize();
    showMoved();
    recolour();
  }

  // ---- start

  let due = false;
  function soon() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      for (const part of parts) part.moved = true;
      nearby();
      later();
    });
  }

  function read() {
    jobs = stored.get("jobs");
    for (const field of ["user", "queue", "job"]) {
      const { number = [], name = [], kind = [field] } = stored.get(`names of ${field}`) ?? {};
      names[field] = { kind: kind[0] ?? field, of: new Map(Array.from(number, (each, i) => [each, name[i]])) };
    }
    for (let i = 0; stored.has(`run ${i}`); i++) runs.push(columns.opened(stored, i));
  }

  function listen() {
    for (const range of [time, processors]) {
      range.properties.start.change.connect(soon);
      range.properties.end.change.connect(soon);
    }
    gantt.properties.inner_width.change.connect(soon);
    gantt.properties.inner_height.change.connect(soon);
    gantt.on_event("mouseleave", () => outline(-1));
    for (const { root, place } of parts) if (root.x_range === time) place.addEventListener("keydown", pressed);
    const form = document.querySelector("#gantt .controls");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = document.getElementById("wanted").value;
      if (wanted) show(wanted.trim());
    });
    form.addEventListener("change", (event) => {
      const { name, value } = event.target;
      if (name === "run") run = Number(value);
      else if (name === "colour") colouring = value;
      else return;
      outline(-1);
      classify();
      drawOutages();
      paint();
    });
    const filters = document.getElementById("filters");
    filters?.addEventListener("change", ({ target }) => {
      chosen[target.name] = target.value;
      choose();
      nearby();
      later();
    });
    filters?.addEventListener("reset", () => {
      for (const field of Object.keys(chosen)) chosen[field] = "";
      choose();
      nearby();
      later();
    });
    for (const button of document.querySelectorAll("[data-run]")) {
      button.addEventListener("click", () => hide(button.dataset.run, button.ariaPressed === "true"));
    }
    document.getElementById("all").addEventListener("click", showAll);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
    for (const step of [toPaper, copyToPaper]) {
      window.addEventListener("beforeprint", step);
      matchMedia("print").addEventListener("change", ({ matches }) => matches && step());
    }
    window.addEventListener("afterprint", toScreen);
    matchMedia("print").addEventListener("change", ({ matches }) => matches || toScreen());
  }

  async function open() {
    const charts = JSON.parse(document.getElementById("charts").textContent);
    stored = await columns.unpacked();
    // An empty document gives what charts are built with, one by one: the library builds all at once.
    const none = { docid: "none", roots: {}, root_ids: [] };
    [views] = await Bokeh.embed.embed_items({ none: { ...charts, roots: [] } }, [none]);
    page = Bokeh.documents.pop().constructor.from_json(charts);
    page.views_manager = views;
    time = page.get_model_by_name("time");
    processors = page.get_model_by_name("processors");
    gantt = page.get_model_by_name("gantt");
    painted = page.get_model_by_name("painted");
    outlined = page.get_model_by_name("outlined");
    joined = page.get_model_by_name("joined");
    stops = page.get_model_by_name("stopped");
    down = page.get_model_by_name("down");
    parts = settings.sections.map((section, i) => (
      { ...section, root: page.roots()[i], place: document.getElementById(section.place), view: undefined }));
    for (const { root } of parts) if (root.x_range === time) root.below[0].ticker.desired_num_ticks = innerWidth < 600 ? 3 : 6;
    read();
    choose();
    colour();
    listen();
    await drawAll();
  }

  window.addEventListener("DOMContentLoaded", open);
  return { at, job };
})();
window.report = report;
