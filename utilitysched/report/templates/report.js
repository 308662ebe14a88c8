"use strict";
// What the charts do that their library does not: columns of many jobs are thinned, averaged or
// painted for the part of them that is in view, again for every other part.
const report = (() => {
  const settings = JSON.parse(document.getElementById("settings").textContent);
  const { scale, labels } = settings;
  const MEANS = 400; // stretches of time of which means are drawn
  const COLUMNS = 1500; // of pixels, of which least and largest values are drawn
  const CELLS = [1600, 700]; // most columns and rows of the painted picture
  const GAP = 4; // jobs larger than so many pixels are drawn apart from their neighbours
  const BARS = 2000; // more ends of stretches cannot be told apart
  const FAINTEST = 0.12; // what is not quite idle is seen

  let page, time, processors, gantt, views, painted, outlined, joined, stops, down, jobs, stored;
  const names = {};
  const chosen = { colour: "wait", user: "", queue: "", class: "" };
  let colours = []; // of the classes of jobs, then that of jobs that are not chosen
  let kinds; // class of each job
  let run = 0;
  let pointed = -1;
  const runs = [];
  const steps = [];

  // ---- numbers and times for people

  function figures(value) {
    if (!Number.isFinite(value)) return "-";
    const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : 2;
    return value.toLocaleString("en", { maximumFractionDigits: digits });
  }

  function duration(seconds) {
    const units = [[86400, "d"], [3600, "h"], [60, "min"]];
    const [size, name] = units.find(([least]) => seconds >= 2 * least) ?? [1, "s"];
    return `${figures(seconds / size)} ${name}`;
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

  function drawSteps() {
    const begin = seconds(time.start);
    const end = seconds(time.end);
    for (const line of steps) {
      const from = Math.max(before(line.time, begin), 0);
      const to = before(line.time, end);
      const many = line.mean && to - from > 2 * MEANS;
      line.drawn.data = (many ? means : stairs)(line, from, to, begin, end);
    }
  }

  // What a chart over time says at the time that is pointed at.
  function at(key, unit, labels, { x }) {
    const second = seconds(x);
    const lines = steps.filter((line) => line.key === key);
    const said = labels.map((label, i) => {
      const last = before(lines[i].time, second);
      return [label, `${figures(last < 0 ? 0 : lines[i].value[last])} ${unit}`];
    });
    return rows([["time", instant(second)], ...said]);
  }

  // ---- jobs on their processors

  // Classes of the jobs by what they are coloured by; those that are not chosen have the last one.
  function classify() {
    const { kind } = stored.get(`colour ${chosen.colour} ${run}`) ?? stored.get(`colour ${chosen.colour}`);
    const key = document.querySelector(`.classes[data-colour="${chosen.colour}"]`);
    const swatches = [...key.querySelectorAll("span")].slice(0, Math.max(...kind) + 1);
    colours = [...swatches.map((each) => each.style.background.slice(4, -1)), "--rule"];
    const wanted = ["user", "queue", "class"].filter((field) => chosen[field] !== "");
    kinds = Uint8Array.from(kind, (each, j) =>
      wanted.every((field) => jobs[field][j] === Number(chosen[field])) ? each : swatches.length);
    for (const each of document.querySelectorAll(".classes[data-colour]")) each.hidden = each !== key;
    const only = wanted.map((field) => `${field} ${document.querySelector(`[name=${field}]`).selectedOptions[0].text}`);
    const title = document.querySelector("[name=colour]").selectedOptions[0].text;
    const which = only.length ? `; jobs of ${only.join(", ")}, others faint` : "";
    document.getElementById("seen").textContent = `${labels[run]}, coloured by ${title}${which}.`;
  }

  // Area of each cell that jobs of each class cover, class after class, row after row from below.
  function covered(columns, lines, ratio) {
    const size = columns * lines;
    const areas = new Float32Array(colours.length * size);
    const { begin, finish, job, low, high } = runs[run];
    const [left, right] = [seconds(time.start), seconds(time.end)];
    const [bottom, top] = [processors.start, processors.end];
    const across = columns / (right - left);
    const up = lines / (top - bottom);
    for (let i = 0; i < job.length; i++) {
      const [from, until] = [begin(i), finish(i)];
      if (until <= left || from >= right || high[i] <= bottom || low[i] >= top) continue;
      const wide = (until - from) * across > GAP * ratio ? ratio : 0;
      const tall = (high[i] - low[i]) * up > GAP * ratio ? ratio : 0;
      const x0 = Math.max((from - left) * across, 0);
      const x1 = Math.min((until - left) * across - wide, columns);
      const y0 = Math.max((low[i] - bottom) * up, 0);
      const y1 = Math.min((high[i] - bottom) * up - tall, lines);
      const layer = kinds[job[i]] * size;
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
    const { finish, job, low, high, end, until } = runs[run];
    const [left, right] = [seconds(time.start), seconds(time.end)];
    for (let i = 0; until && i < job.length; i++) {
      const at = finish(i);
      if (at >= end[job[i]] || at < left || at > right) continue;
      data.x0.push(place(at));
      data.x1.push(place(at));
      data.y0.push(low[i]);
      data.y1.push(high[i]);
    }
    const none = data.x0.length > BARS;
    stops.data = none ? { x0: [], y0: [], x1: [], y1: [] } : data;
  }

  function under(second, processor) {
    const { begin, finish, job, low, high } = runs[run];
    for (let i = 0; i < job.length; i++) {
      if (low[i] <= processor && processor < high[i]) {
        if (begin(i) <= second && second < finish(i)) return i;
      }
    }
    return -1;
  }

  function outline(wanted) {
    pointed = wanted;
    const data = { left: [], right: [], bottom: [], top: [] };
    const { begin, finish, job, low, high } = runs[run];
    for (let i = 0; wanted >= 0 && i < job.length; i++) {
      if (job[i] !== wanted) continue;
      data.left.push(place(begin(i)));
      data.right.push(place(finish(i)));
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

  // What the log calls the user or the queue of a job.
  function called(field, j) {
    const number = jobs[field][j];
    const { kind, of } = names[field];
    return [kind, number < 0 ? "unknown" : (of.get(number) ?? `${number}`)];
  }

  function facts(j) {
    const { submit, start, end, earned, ran, preemptions, failures } = runs[run];
    const length = ran ? ran[j] : end[j] - start[j];
    const pairs = [
      ["job", `${jobs.number[j]}`],
      called("user", j),
      called("queue", j),
      ["processors", figures(jobs.size[j])],
      ["submitted", instant(submit[j])],
      ["started", instant(start[j])],
      ["ended", instant(end[j])],
      ["waited", duration(start[j] - submit[j])],
      ["ran", `${duration(length)} of ${duration(jobs.request[j])} requested`],
    ];
    const times = (count) => (count > 1 ? `${count} times` : "once");
    if (preemptions && preemptions[j] > 0) pairs.push(["preempted", times(preemptions[j])]);
    if (failures && failures[j] > 0) pairs.push(["stopped by a failure", times(failures[j])]);
    const again = end[j] - start[j] - length;
    if (again > 0) pairs.push(["between its stretches", duration(again)]);
    if (jobs.worth[j] > 0) {
      const share = figures((100 * earned[j]) / jobs.worth[j]);
      pairs.push(["earned", `${figures(earned[j])} of ${figures(jobs.worth[j])} SU (${share}%)`]);
    }
    return pairs;
  }

  // For whom a stretch was stopped, and what that cost its job.
  function stopped(rectangle) {
    const { job, finish, kills } = runs[run];
    if (!kills) return [];
    const mine = (k) => kills.job[k] === job[rectangle] && kills.until[k] === finish(rectangle);
    const k = Array.from(kills.job.keys()).find(mine);
    if (k === undefined) return [];
    const cost = kills.cost[k] > 0 ? `, ${figures(kills.cost[k])} SU taken` : "";
    const cause = `job ${jobs.number[kills.cause[k]]} of ${called("user", kills.cause[k]).join(" ")}`;
    return [["this stretch", `stopped for ${cause}: ${duration(kills.lost[k])} of work lost${cost}`]];
  }

  // What the picture of the jobs says where it is pointed at.
  function job({ x, y }) {
    const rectangle = under(seconds(x), y);
    const found = rectangle < 0 ? -1 : runs[run].job[rectangle];
    if (found !== pointed) outline(found);
    if (found < 0) {
      const said = `${Math.floor(y)}: ${idle(seconds(x), y)}`;
      return rows([["time", instant(seconds(x))], ["processor", said]]);
    }
    return rows([...facts(found), ...stopped(rectangle)]);
  }

  function show(number) {
    const found = jobs.number.indexOf(number);
    const answer = document.getElementById("found");
    if (found < 0) {
      answer.textContent = `There is no job ${number}.`;
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
    paint();
  }

  // Hide a run in all charts that draw it, or show it again.
  function hide(place, hidden) {
    for (const button of document.querySelectorAll(`[data-run="${place}"]`)) button.ariaPressed = `${!hidden}`;
    for (const model of page.all_models) {
      if (model.name === `run ${place}`) model.visible = !hidden;
    }
  }

  function recolour() {
    colour();
    for (const each of views) each.request_repaint();
  }

  // Paper is narrower than the screen and always light. Charts are drawn for it as shapes, which
  // printers render sharper than pixels, and which stand there for as long as it takes.
  function toPaper() {
    const root = document.documentElement;
    if (root.classList.contains("paper")) return;
    root.classList.add("paper");
    for (const each of views) each.after_resize();
    drawSteps();
    colour();
  }

  // Apart from the above, since the library takes colours over once a listener has returned.
  function copyToPaper() {
    if (document.querySelector(".printed")) return;
    for (const each of views) {
      const { canvas, bbox } = each.export("svg");
      canvas.setAttribute("viewBox", `0 0 ${bbox.width} ${bbox.height}`);
      canvas.setAttribute("class", "printed");
      document.getElementById(settings.places[page.roots().indexOf(each.model)]).after(canvas);
    }
  }

  function toScreen() {
    const root = document.documentElement;
    if (!root.classList.contains("paper")) return;
    root.classList.remove("paper");
    for (const each of document.querySelectorAll(".printed")) each.remove();
    for (const each of views) each.after_resize();
    drawSteps();
    recolour();
  }

  // ---- start

  let due = false;
  function soon() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      drawSteps();
      paint();
    });
  }

  // Sums of two columns.
  function added(one, other) {
    return Float64Array.from(one, (each, i) => each + other[i]);
  }

  // Rectangles of jobs that were stopped and went on later have times of their own.
  function timed(found) {
    const { start, length, job, low, width, from, until } = found;
    const end = added(start, length);
    return {
      end,
      high: added(low, width),
      begin: from ? (i) => from[i] : (i) => start[job[i]],
      finish: until ? (i) => until[i] : (i) => end[job[i]],
    };
  }

  function read() {
    jobs = stored.get("jobs");
    for (const field of ["user", "queue"]) {
      const { number = [], name = [], kind = [field] } = stored.get(`names of ${field}`) ?? {};
      names[field] = { kind: kind[0] ?? field, of: new Map(Array.from(number, (each, i) => [each, name[i]])) };
    }
    for (let i = 0; stored.has(`run ${i}`); i++) {
      const found = {
        submit: jobs.submit,
        length: jobs.length,
        ...stored.get(`run ${i}`),
        ...stored.get(`rectangles ${i}`),
        ...stored.get(`pieces ${i}`),
        ...stored.get(`stops ${i}`),
        kills: stored.get(`kills ${i}`),
        outages: stored.get(`outages ${i}`),
        causes: stored.get(`causes ${i}`)?.name,
      };
      runs.push({ ...found, ...timed(found) });
    }
    for (const [name, { mean, time: times, value }] of stored) {
      const [what, key, i] = name.split(" ");
      if (what !== "steps") continue;
      const drawn = page.get_model_by_name(`drawn ${key} ${i}`);
      steps.push({ key, drawn, mean, time: times, value });
    }
  }

  const ARRAYS = {
    uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float32: Float32Array, float64: Float64Array,
  };

  // Columns by name, as they were before they were packed: bytes of a kind together, whole numbers
  // as differences.
  async function unpacked() {
    const text = atob(document.getElementById("data").textContent);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const planes = new Uint8Array(await new Response(stream).arrayBuffer());
    const column = ([type, begin, length]) => {
      const found = new ARRAYS[type](length);
      const into = new Uint8Array(found.buffer);
      const width = found.BYTES_PER_ELEMENT;
      for (let plane = 0; plane < width; plane++) {
        const from = begin + plane * length;
        for (let i = 0; i < length; i++) into[i * width + plane] = planes[from + i];
      }
      if (!type.startsWith("float")) for (let i = 1; i < length; i++) found[i] += found[i - 1];
      return found;
    };
    return new Map(JSON.parse(document.getElementById("index").textContent).map(({ name, mean, columns }) => {
      const read = ([key, where]) => [key, typeof where[1] === "number" ? column(where) : where];
      return [name, { mean, ...Object.fromEntries(Object.entries(columns).map(read)) }];
    }));
  }

  function listen() {
    for (const range of [time, processors]) {
      range.properties.start.change.connect(soon);
      range.properties.end.change.connect(soon);
    }
    gantt.properties.inner_width.change.connect(soon);
    gantt.properties.inner_height.change.connect(soon);
    gantt.on_event("mouseleave", () => outline(-1));
    page.roots().forEach((root, i) => {
      if (root.x_range !== time) return;
      document.getElementById(settings.places[i]).addEventListener("keydown", pressed);
    });
    const form = document.querySelector(".controls");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = document.getElementById("wanted").value;
      if (wanted) show(Number(wanted));
    });
    form.addEventListener("change", (event) => {
      const { name, value } = event.target;
      if (name === "run") run = Number(value);
      else if (name in chosen) chosen[name] = value;
      else return;
      outline(-1);
      classify();
      drawOutages();
      paint();
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
    const roots = {};
    settings.places.forEach((name, i) => { roots[charts.roots[i].id] = name; });
    const item = { docid: "report", roots, root_ids: Object.keys(roots) };
    stored = await unpacked();
    const [found] = await Bokeh.embed.embed_items({ report: charts }, [item]);
    views = found.roots.filter((each) => each.request_repaint);
    page = Bokeh.documents[0];
    time = page.get_model_by_name("time");
    processors = page.get_model_by_name("processors");
    gantt = page.get_model_by_name("gantt");
    painted = page.get_model_by_name("painted");
    outlined = page.get_model_by_name("outlined");
    joined = page.get_model_by_name("joined");
    stops = page.get_model_by_name("stopped");
    down = page.get_model_by_name("down");
    read();
    classify();
    drawOutages();
    drawSteps();
    colour();
    listen();
    document.documentElement.dataset.ready = Math.round(performance.now());
  }

  window.addEventListener("DOMContentLoaded", open);
  return { at, job };
})();
window.report = report;
