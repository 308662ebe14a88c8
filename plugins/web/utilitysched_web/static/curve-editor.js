/* <curve-editor value="0:200,12h:0">: what a job is worth (SU) by the time since its submission.

   Attributes: value (TIME:SU,... as everywhere), submitted (s of Unix time; the present if left out),
   zone (IANA name of the clock on the wall; the browser's if left out), name (in a form), label.
   Events: input while a point is dragged, change once it is let go, or anything else has changed. */

const MOST_SECONDS = 366 * 86400, MOST_SU = 1e9;  // as utilitysched/slurm/comments.py has them
const MOST_POINTS = 40;  // of 25 letters each: they fit into a comment of Slurm's
const FIRST = [14400, 100];  // of a curve that a key begins: s, SU
const UNITS = {s: 1, min: 60, h: 3600, d: 86400, w: 604800};
const SPELT = {sec: "s", second: "s", mins: "min", minute: "min", hr: "h", hrs: "h", hour: "h",
  day: "d", week: "w"};
const TIME_STEPS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
  86400, 172800, 604800, 1209600, 2419200, 7862400];
const HALVES = 5, CHORDS = 7;  // half-lives that are drawn, in so many lines
const TAP = 8;  // pixels within which a finger or a mouse has not moved
const REACH = {mouse: 12, pen: 16, touch: 24};  // pixels from a point at which it is taken
const MARGIN = {left: 52, right: 14, top: 34, bottom: 40};
const SVG = "http://www.w3.org/2000/svg";

const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const tidy = (x) => Number(x.toPrecision(12));  // 0.1 * 3 is 0.3
const snap = (x, step) => tidy(Math.round(x / step) * step);
const next = (x, step, way) => tidy(step * (way > 0 ? Math.floor(x / step + 1e-9) + 1
  : Math.ceil(x / step - 1e-9) - 1));
const timeStep = (least) => TIME_STEPS.find((step) => step >= least) ?? TIME_STEPS.at(-1);

function valueStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return tidy(power * [1, 2, 5, 10].find((each) => power * each >= least * (1 - 1e-9)));
}

/* Quarters of an hour are exact in both numbers. */
function unitOf(seconds) {
  const whole = {d: 86400, h: seconds < 3600 ? 3600 : 900, min: 60};
  return Object.keys(whole).find((unit) => seconds && seconds % whole[unit] === 0) ?? "s";
}

function timeText(seconds) {
  const unit = unitOf(seconds);
  return unit === "s" ? String(seconds) : `${seconds / UNITS[unit]}${unit}`;
}

function spoken(seconds) {
  let left = seconds;
  const parts = ["d", "h", "min"].map((unit) => {
    const count = Math.floor(left / UNITS[unit]);
    left -= count * UNITS[unit];
    return count ? `${count} ${unit}` : "";
  });
  return [...parts, left || !seconds ? `${tidy(left)} s` : ""].filter(Boolean).join(" ");
}

/* Seconds, NaN if it is none; a number alone is in `unit`. */
function seconds(text, unit = "s") {
  const found = /^\s*(\d+\.?\d*|\.\d+)\s*([a-z]*)\s*$/.exec(text);
  const said = found?.[2] || unit;
  const known = UNITS[said] ?? UNITS[SPELT[said] ?? SPELT[said.replace(/s$/, "")]];
  return found && known ? tidy(Number(found[1]) * known) : NaN;
}

/* Points of a text, null if they make no curve. */
function parsed(text) {
  const points = text.split(",").map((part) => {
    const [time, value, ...more] = part.split(":");
    const su = value?.trim() && !more.length ? Number(value) : NaN;
    return [seconds(time), su];
  });
  const sound = points.length > 1 && points[0][0] === 0 && points.every(([time, value], i) =>
    time <= MOST_SECONDS && value >= 0 && value <= MOST_SU
    && (i === 0 || (time > points[i - 1][0] && value <= points[i - 1][1])));
  return sound ? points : null;
}

const written = (points) => points.map(([time, value]) => `${timeText(time)}:${value}`).join(",");

function element(tag, attributes = {}, ...children) {
  const made = attributes.svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name !== "svg") made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const drawn = (tag, attributes, ...children) =>
  element(tag, {svg: true, ...attributes}, ...children);
const button = (text, onclick) => element("button", {type: "button", onclick}, text);

/* The clock on the wall of a time zone; all in s of Unix time. */
class WallClock {
  constructor(zone) {
    const timeZone = zone || undefined;
    const format = (options) => new Intl.DateTimeFormat("en-GB", {timeZone, ...options});
    const time = {hour: "2-digit", minute: "2-digit", hourCycle: "h23"};
    this.time = format(time);
    this.near = format({weekday: "short", ...time});
    this.far = format({weekday: "short", day: "numeric", month: "short", ...time});
    this.day = format({weekday: "short", day: "numeric", month: "short"});
    this.whole = format({year: "numeric", month: "numeric", day: "numeric", second: "2-digit",
      ...time});
  }

  /* What the wall shows, as if it were UTC. */
  shown(at) {
    const part = Object.fromEntries(
      this.whole.formatToParts(at * 1000).map(({type, value}) => [type, Number(value)]));
    return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second)
      / 1000;
  }

  /* When the wall shows that. */
  at(shown) {
    const guess = shown - (this.shown(shown) - shown);
    return guess + shown - this.shown(guess);
  }

  /* Next time after `at` that the wall shows an hour, of a day of the week (0: Sunday) if given. */
  nextAt(at, hour, weekday) {
    const today = Math.floor(this.shown(at) / 86400);
    for (let day = today; ; day++) {
      const moment = this.at(day * 86400 + hour * 3600);
      const fits = weekday === undefined || (day + 4) % 7 === weekday;  // 1 January 1970: Thursday
      if (moment > at && fits) return moment;
    }
  }

  text(at, from) {
    return (at - from < 6 * 86400 ? this.near : this.far).format(at * 1000).replace(",", "");
  }
}

/* Curves that a button draws, of `worth` SU and a time (s); each says in words what it means. */
const SHAPES = {
  deadline: {
    label: (editor) => `Until ${editor.clock.text(editor.evening, editor.start)}`,
    draw: (editor, worth) =>
      [[0, worth], [Math.max(1, Math.floor(editor.evening - editor.start)), worth]],
    says: () => "All of it until 18:00 on the clock, nothing later.",
  },
  halflife: {
    label: () => "Half-life",
    draw: (_, worth, half) => {
      const reach = 1 - 2 ** (-HALVES / 2);  // equal errors: knots even in the root of the curve
      return Array.from({length: CHORDS + 1}, (_, i) => {
        const time = Math.round(-2 * half * Math.log2(1 - (i / CHORDS) * reach));
        return [time, Number((worth * 2 ** (-time / half)).toPrecision(5))];
      });
    },
    says: () => `${CHORDS + 1} points: at most 0.7% of the worth above the true curve for`
      + ` ${HALVES} half-lives; then nothing instead of the last ${100 / 2 ** HALVES}%.`,
  },
  step: {
    label: () => "Step",
    draw: (_, worth, time) =>
      [[0, worth], [time, worth], [time + 1, tidy(worth / 2)], [2 * time, tidy(worth / 2)]],
    says: () => "All of it for the time, half of it as long again, then nothing.",
  },
  weekend: {
    label: () => "Weekend",
    draw: (editor, worth) => [[0, worth], ...[8, 18].map((hour, i) =>
      [Math.floor(editor.clock.nextAt(editor.monday, hour, 1) - editor.start), i ? 0 : worth])],
    says: () => "All of it until Monday 8:00, less and less until Monday 18:00.",
  },
};

class CurveEditor extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ["value", "submitted", "zone"];
  #points = [];
  #reach = [86400, 200];  // s, SU: what is seen
  #chosen = 0;
  #past = [];
  #hold = null;
  #built = false;
  #box = {width: 240, height: 230, w: 1, h: 1};
  #scales = "";  // that are drawn
  #internals = this.attachInternals();

  connectedCallback() {
    this.clock = new WallClock(this.getAttribute("zone"));
    if (!this.#built) {
      this.#build();
      if (!this.#points.length) this.value = this.getAttribute("value") ?? "";
    }
    this.watch = new ResizeObserver(() => this.#measure());
    this.watch.observe(this.svg);
  }

  disconnectedCallback() {
    this.watch.disconnect();
  }

  attributeChangedCallback(name, _, now) {
    if (!this.#built) return;
    if (name === "zone") this.clock = new WallClock(now);
    if (name === "value") this.value = now ?? "";
    else this.#draw();
  }

  get value() { return written(this.#points); }

  set value(text) {
    if (text === this.value && this.#built) return this.#draw();
    const points = text.trim() ? parsed(text) : [];
    if (!points) return this.#say(`${text} is no curve: points TIME:SU from time 0, never rising.`);
    this.#points = points;
    this.#chosen = 0;
    this.#fit();
    this.#keepWorth();
  }

  get start() {
    const said = Number(this.getAttribute("submitted") ?? NaN);
    return Number.isFinite(said) ? said : Date.now() / 1000;
  }

  get evening() { return this.clock.nextAt(this.start, 18); }

  get monday() { return this.clock.at(this.clock.shown(this.clock.nextAt(this.start, 8, 1)) - 1); }

  #build() {
    this.#built = true;
    const typed = (label, value, width, onchange) => {
      const input = element("input", {type: "text", value, size: width, autocomplete: "off",
        onchange});
      return [element("label", {}, `${label} `, input), input];
    };
    const [worthLabel, worth] = typed("Worth (SU)", FIRST[1], 6);
    this.worth = worth;
    const [timeLabel, time] = typed("Time", "4h", 5);
    this.shapes = Object.entries(SHAPES).map(([name, shape]) => {
      const made = button("", () => this.#shape(shape, worth.value, time.value));
      made.dataset.shape = name;
      return made;
    });
    const [toLabel, to] = typed("Show up to", "", 5, () => this.#zoom());
    const [suLabel, su] = typed("and (SU)", "", 6, () => this.#zoom());
    this.ranges = [to, su];
    this.removal = button("Remove the point", () => this.#remove(this.#chosen));
    this.undoing = button("Undo", () => this.#undo());
    this.svg = drawn("svg", {role: "group", "aria-label": this.getAttribute("label") ?? "Curve"},
      this.axes = drawn("g", {class: "axes", "aria-hidden": "true"}),
      this.inside = drawn("svg", {"aria-hidden": "true"},
        this.area = drawn("path", {class: "area"}), this.line = drawn("path", {class: "curve"})),
      this.handles = drawn("g"));
    this.rows = element("tbody");
    this.said = element("p", {class: "said", role: "status"});
    const root = element("div", {},
      element("fieldset", {class: "tools"}, element("legend", {}, "Begin with a shape"), worthLabel, timeLabel,
        ...this.shapes),
      this.svg,
      element("p", {class: "hint"}, "Drag a point, or tap where there is none to add one. Keys: Tab"
        + " to a point, arrows to move it, Shift for larger steps, Insert to add, Delete to remove."
        + " Neighbours limit how far a point goes. After the last point the job is worth nothing."),
      element("div", {class: "tools"}, button("Add a point", () => this.#insert(this.#chosen)),
        this.removal, this.undoing, toLabel, suLabel, button("Fit", () => this.#fit())),
      this.said,
      element("table", {},
        element("thead", {}, element("tr", {},
          ...["Point", "After", "On the clock", "SU", ""].map((text) =>
            text ? element("th", {scope: "col"}, text) : element("td")))),
        this.rows));
    for (const type of ["input", "change"]) root.addEventListener(type, (e) => e.stopPropagation());
    for (const type of ["down", "move", "up", "cancel"])
      this.svg.addEventListener(`pointer${type}`, (e) => this[`_${type}`](e));
    this.svg.addEventListener("touchstart", (e) => this._touch(e), {passive: false});
    this.append(root);
  }

  /* What is seen, and where it is drawn. */

  #measure() {
    const width = Math.max(this.svg.clientWidth, 240), height = clamp(width * 0.5, 230, 380);
    this.#box = {width, height, w: width - MARGIN.left - MARGIN.right,
      h: height - MARGIN.top - MARGIN.bottom};
    this.#draw();
  }

  #spot([time, value]) {
    const {w, h} = this.#box;
    return [MARGIN.left + w * time / this.#reach[0], MARGIN.top + h * (1 - value / this.#reach[1])];
  }

  #under(event) {
    const {left, top} = this.svg.getBoundingClientRect(), {w, h} = this.#box;
    return [(event.clientX - left - MARGIN.left) / w * this.#reach[0],
      (1 - (event.clientY - top - MARGIN.top) / h) * this.#reach[1]];
  }

  #fit() {
    const [last, first] = [this.#points.at(-1)?.[0], this.#points[0]?.[1]];
    this.#reach = [this.#roomy(last ?? 57600, timeStep),
      this.#roomy(first || 160, valueStep)];
    this.#draw();
  }

  #roomy(most, step) {
    const tick = step(most / 6);
    return tidy(Math.ceil(most * 1.15 / tick) * tick);
  }

  #zoom() {
    const [to, su] = this.ranges.map((input) => input.value);
    const reach = [seconds(to, unitOf(this.#reach[0])), Number(su)];
    if (reach[0] >= 2 && reach[0] <= 2 * MOST_SECONDS && reach[1] > 0 && reach[1] <= 2 * MOST_SU)
      this.#reach = reach;
    else this.#say("Show up to a time, such as 12h, and a number of SU.");
    this.#scales = "";
    this.#draw();
  }

  #draw() {
    if (!this.#built || !this.isConnected) return;
    const {w, h} = this.#box;
    const spots = this.#points.map((point) => this.#spot(point))
      .map(([x, y]) => `${x - MARGIN.left},${y - MARGIN.top}`);
    const fall = spots.length ? `M${spots.join("L")}V${h}` : "";
    this.line.setAttribute("d", fall && `${fall}H${Math.max(w, 0)}`);
    this.area.setAttribute("d", fall && `${fall}H0Z`);
    this.#drawScales();
    this.#drawHandles();
    this.#drawTable();
    this.removal.disabled = this.#chosen < 1 || this.#points.length < 3;
    this.undoing.disabled = !this.#past.length;
    const text = this.value;
    this.#internals.setFormValue(text);
    this.#internals.setValidity(text ? {} : {valueMissing: true}, "Draw a curve.");
  }

  /* What changes with the size, the ranges and the clock, and not while a point is dragged. */
  #drawScales() {
    const {width, height, w, h} = this.#box, minute = Math.floor(this.start / 60);
    const scales = [width, ...this.#reach, minute, this.getAttribute("zone")].join();
    if (scales === this.#scales) return;
    this.#scales = scales;
    for (const [name, value] of Object.entries({viewBox: `0 0 ${width} ${height}`, height}))
      this.svg.setAttribute(name, value);
    const inside = {x: MARGIN.left, y: MARGIN.top, width: w, height: h};
    for (const [name, value] of Object.entries(inside)) this.inside.setAttribute(name, value);
    for (const [i, made] of this.shapes.entries())
      made.textContent = Object.values(SHAPES)[i].label(this);
    this.ranges[0].value = timeText(this.#reach[0]);
    this.ranges[1].value = this.#reach[1];
    this.#drawAxes(width, w, h);
  }

  #drawAxes(width, w, h) {
    const [to, su] = this.#reach, start = this.start, floor = MARGIN.top + h;
    const parts = [];
    const label = (x, y, text, anchor) =>
      parts.push(drawn("text", {x, y, "text-anchor": anchor}, text));
    const rule = (d, kind = "rule") => parts.push(drawn("path", {d, class: kind}));
    const unused = () => {  // whether a text has room on its line, which it then takes
      let free = 0;
      return (x, text) => {
        const half = 3.4 * text.length, fits = x - half >= free && x + half <= width;
        if (fits) free = x + half + 6;
        return fits;
      };
    };
    const below = unused(), above = unused();
    const up = valueStep(su / (h / 40)), along = timeStep(to / (w / 70));
    for (let value = 0; value <= su * 1.0001; value = tidy(value + up)) {
      const [, y] = this.#spot([0, value]);
      rule(`M${MARGIN.left},${y}h${w}`);
      label(MARGIN.left - 10, y + 4, value.toLocaleString("en", {maximumSignificantDigits: 4}),
        "end");
    }
    for (let time = 0; time <= to; time += along) {
      const [x] = this.#spot([time, 0]), text = spoken(time).replace(/^0 s$/, "0");
      rule(`M${x},${floor}v4`, "tick");
      if (below(x, text)) label(x, floor + 17, text, "middle");
    }
    const wall = this.clock.shown(start), shift = wall % along;
    for (let time = along - shift; time <= to; time += along) {
      const at = this.clock.at(wall + time), [x] = this.#spot([at - start, 0]);
      const midnight = (wall + time) % 86400 === 0;
      const text = (midnight ? this.clock.day : this.clock.time).format(at * 1000);
      if (!above(x, text)) continue;
      rule(`M${x},${MARGIN.top}v-4${midnight ? `M${x},${MARGIN.top}v${h}` : ""}`, "tick");
      label(x, MARGIN.top - 8, text.replace(",", ""), "middle");
    }
    label(MARGIN.left - 10, 12, "SU", "end");
    label(MARGIN.left, 12, "clock, if submitted now".slice(0, this.hasAttribute("submitted") ? 5
      : undefined), "start");
    label(width - MARGIN.right, floor + 33, "since submission", "end");
    this.axes.replaceChildren(...parts);
  }

  #drawHandles() {
    const hold = matchMedia("(any-pointer: coarse)").matches ? REACH.touch : REACH.mouse;
    while (this.handles.children.length > this.#points.length) this.handles.lastChild.remove();
    while (this.handles.children.length < this.#points.length) {
      const i = this.handles.children.length;
      this.handles.append(drawn("g", {class: "point", role: "slider", tabindex: 0,
        onkeydown: (e) => this.#key(e, i), onfocus: () => this.#choose(i)},
      drawn("circle", {class: "reach"}), drawn("circle", {class: "dot", r: 6})));
    }
    const {width, height} = this.#box;
    [...this.handles.children].forEach((handle, i) => {
      const [x, y] = this.#spot(this.#points[i]), limits = this.#limits(i);
      const [cx, cy] = [clamp(x, 0, width - MARGIN.right), clamp(y, MARGIN.top, height)];
      handle.classList.toggle("chosen", i === this.#chosen);
      handle.classList.toggle("beyond", cx !== x || cy !== y);
      for (const circle of handle.children) {
        circle.setAttribute("cx", cx);
        circle.setAttribute("cy", cy);
      }
      handle.firstChild.setAttribute("r", hold);
      const said = {label: `Point ${i + 1} of ${this.#points.length}`,
        valuenow: this.#points[i][1], valuemin: limits[1][0], valuemax: limits[1][1],
        valuetext: this.#words(i)};
      for (const [name, value] of Object.entries(said)) handle.setAttribute(`aria-${name}`, value);
    });
  }

  #words(i) {
    const [time, value] = this.#points[i];
    const clock = this.clock.text(this.start + time, this.start);
    return `${value} SU at ${spoken(time)} after submission, ${clock}`;
  }

  #drawTable() {
    if (this.rows.children.length !== this.#points.length) {
      this.rows.replaceChildren(...this.#points.map((_, i) => {
        const cell = (name, axis) => element("td", {}, element("input", {type: "text", size: 7,
          autocomplete: "off", "aria-label": `${name} of point ${i + 1}`,
          ...(i === 0 && axis === 0 ? {readonly: ""} : {}),
          onchange: (e) => this.#type(i, axis, e.target.value)}));
        const away = button("✕", () => this.#remove(i));
        away.setAttribute("aria-label", `Remove point ${i + 1}`);
        return element("tr", {}, element("th", {scope: "row"}, String(i + 1)), cell("Time", 0),
          element("td", {class: "clock"}), cell("SU", 1), element("td", {}, away));
      }));
    }
    [...this.rows.children].forEach((row, i) => {
      const [time, value] = this.#points[i], [after, su] = row.querySelectorAll("input");
      after.value = timeText(time);
      su.value = value;
      row.querySelector(".clock").textContent = this.clock.text(this.start + time, this.start);
      row.querySelector("button").disabled = i === 0 || this.#points.length < 3;
      row.classList.toggle("chosen", i === this.#chosen);
    });
  }

  /* What changes points. Neighbours limit a point: those that were not touched stay. */

  #limits(i) {
    const before = this.#points[i - 1], after = this.#points[i + 1];
    return [[before ? before[0] + 1 : 0, before ? (after ? after[0] - 1 : MOST_SECONDS) : 0],
      [after ? after[1] : 0, before ? before[1] : MOST_SU]];
  }

  /* Move a point as far as it may go, and return whether that is where it should. */
  #place(i, wanted) {
    const placed = this.#limits(i).map(([low, high], axis) =>
      (low > high ? this.#points[i][axis] : clamp(wanted[axis], low, high)));
    this.#points[i] = placed;
    return placed.every((value, axis) => value === wanted[axis]);
  }

  #choose(i) {
    this.#chosen = clamp(i, 0, Math.max(this.#points.length - 1, 0));
    this.#extend();
    this.#draw();
  }

  #extend() {
    const point = this.#points[this.#chosen];
    if (point && (point[0] > this.#reach[0] || point[1] > this.#reach[1])) this.#fit();
  }

  #changed(before, said = "") {
    if (before !== this.value) {
      this.#past.push(before);
      this.#past.splice(0, this.#past.length - 100);
    }
    this.#extend();
    this.#draw();
    this.#keepWorth();
    this.#say(said);
    if (before !== this.value) this.dispatchEvent(new Event("change", {bubbles: true}));
  }

  /* Shapes are worth what the curve is worth, unless told otherwise. */
  #keepWorth() { if (this.worth && this.#points[0]?.[1]) this.worth.value = this.#points[0][1]; }

  #say(text) { if (this.said) this.said.textContent = text; }

  #focus(i) { this.handles.children[i]?.focus({preventScroll: true}); }

  #step(axis, large) {
    const share = this.#reach[axis] / (large ? 10 : 100);
    return axis ? valueStep(share) : timeStep(share);
  }

  #key(event, i) {
    const arrow = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, -1], ArrowUp: [1, 1]};
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow[event.key]) this.#nudge(i, ...arrow[event.key], event.shiftKey);
    else if (event.key === "Insert" || event.key === "+") this.#insert(i);
    else if (event.key === "Delete" || event.key === "Backspace") this.#remove(i);
    else return;
    event.preventDefault();
  }

  #nudge(i, axis, way, large) {
    const before = this.value, wanted = [...this.#points[i]];
    wanted[axis] = next(wanted[axis], this.#step(axis, large), way);
    const free = this.#place(i, wanted);
    this.#changed(before, free ? "" : `As far as point ${i + 1} goes.`);
  }

  #type(i, axis, text) {
    const before = this.value, wanted = [...this.#points[i]];
    wanted[axis] = axis ? (text.trim() ? Number(text) : NaN) : seconds(text, unitOf(wanted[0]));
    if (Number.isNaN(wanted[axis])) {
      this.#draw();
      return this.#say(`${text} is no ${axis ? "number of SU" : "time: write 4h, 90min or 2d"}.`);
    }
    this.#chosen = i;
    const free = this.#place(i, wanted);
    this.#changed(before, free ? "" : `Point ${i + 1} is limited to ${this.#words(i)}.`);
  }

  #shape(shape, worth, time) {
    const su = worth.trim() ? Number(worth) : NaN, given = Math.round(seconds(time, "h"));
    if (!(su > 0 && su <= MOST_SU && given >= 60 && given <= MOST_SECONDS / 10))
      return this.#say("Give a worth above 0 SU and a time from 1min to 36d.");
    const before = this.value;
    this.#points = shape.draw(this, su, given);
    this.#chosen = 0;
    this.#fit();
    this.#changed(before, shape.says());
  }

  /* Add a point halfway to the next one, or as far again after the last. */
  #insert(i) {
    if (!this.#points.length) return this.#add(FIRST);
    const [from, to] = [this.#points[i], this.#points[i + 1]];
    this.#add(to ? [Math.round((from[0] + to[0]) / 2), tidy((from[1] + to[1]) / 2)]
      : [clamp(from[0] + this.#step(0, true), 0, MOST_SECONDS), tidy(from[1] / 2)]);
  }

  #add([time, value]) {
    const before = this.value, points = this.#points;
    if (points.length >= MOST_POINTS) return this.#say(`A curve has at most ${MOST_POINTS} points.`);
    if (!points.length) {
      const end = clamp(time, 1, MOST_SECONDS), worth = clamp(value, 0, MOST_SU);
      this.#points = [[0, worth], [end, worth]];
      this.#chosen = 1;
    } else {
      const after = points.findIndex((point) => point[0] > time);
      const i = after < 0 ? points.length : after;
      const [low, high] = [points[i - 1]?.[0] + 1, points[i] ? points[i][0] - 1 : MOST_SECONDS];
      if (!(low <= high)) return this.#say("There is no room for a point.");
      points.splice(i, 0, [clamp(time, low, high), points[i]?.[1] ?? 0]);
      this.#place(i, [time, value]);
      this.#chosen = i;
    }
    this.#changed(before, `Added: ${this.#words(this.#chosen)}.`);
    this.#focus(this.#chosen);
  }

  #remove(i) {
    if (i < 1 || this.#points.length < 3)
      return this.#say(i < 1 ? "The first point stays: what the job is worth at once."
        : "A curve has two points at least.");
    const before = this.value;
    this.#points.splice(i, 1);
    this.#chosen = Math.min(i, this.#points.length - 1);
    this.#changed(before, `Removed: point ${i + 1}.`);
    this.#focus(this.#chosen);
  }

  #undo() {
    if (!this.#past.length) return;
    const text = this.#past.pop();
    this.#points = text ? parsed(text) : [];
    this.#choose(this.#chosen);
    this.#say("Undone.");
    this.dispatchEvent(new Event("change", {bubbles: true}));
  }

  /* Mouse, pen and finger. */

  #nearest(event) {
    const {left, top} = this.svg.getBoundingClientRect();
    const far = this.#points.map((point) => {
      const [x, y] = this.#spot(point);
      return Math.hypot(event.clientX - left - x, event.clientY - top - y);
    });
    const i = far.indexOf(Math.min(...far));
    return far[i] <= (REACH[event.pointerType] ?? REACH.mouse) ? i : -1;
  }

  _down(event) {
    if (this.#hold || event.button) return;
    const i = this.#nearest(event), at = [event.clientX, event.clientY];
    this.#hold = {id: event.pointerId, i, at, before: this.value};
    this.svg.setPointerCapture(event.pointerId);  // wherever it is let go
    if (i < 0) return;
    event.preventDefault();
    const [time, value] = this.#under(event);
    this.#hold.off = [this.#points[i][0] - time, this.#points[i][1] - value];
    this.#choose(i);
    this.#focus(i);
  }

  /* A finger on a point drags it; elsewhere it scrolls the page. */
  _touch(event) { if (this.#hold?.i >= 0) event.preventDefault(); }

  _move(event) {
    const hold = this.#hold;
    if (hold?.id !== event.pointerId || hold.i < 0) return;
    if (!hold.moved && Math.hypot(event.clientX - hold.at[0], event.clientY - hold.at[1]) < 2)
      return;
    hold.moved = true;
    const {w, h} = this.#box, steps = [timeStep(this.#reach[0] / w), valueStep(this.#reach[1] / h)];
    this.#place(hold.i, this.#under(event).map((value, axis) =>
      snap(clamp(value + hold.off[axis], 0, this.#reach[axis]), steps[axis])));
    this.#draw();
    this.dispatchEvent(new Event("input", {bubbles: true}));
  }

  _up(event) {
    const hold = this.#hold;
    if (hold?.id !== event.pointerId) return;
    this.#hold = null;
    if (hold.i >= 0) return this.#changed(hold.before);
    if (Math.hypot(event.clientX - hold.at[0], event.clientY - hold.at[1]) > TAP) return;
    const [time, value] = this.#under(event), {w, h} = this.#box, [to, su] = this.#reach;
    if (time < 0 || time > to || value < 0 || value > su) return;
    this.#add([snap(time, timeStep(to / w)), snap(value, valueStep(su / h))]);
  }

  _cancel(event) {
    const hold = this.#hold;
    if (hold?.id !== event.pointerId) return;
    this.#hold = null;
    if (hold.i >= 0) this.#points = parsed(hold.before);
    this.#draw();
  }
}

if (!customElements.get("curve-editor")) customElements.define("curve-editor", CurveEditor);

/* In a notebook: anywidget shows `el`, and keeps `value` the same here and in Python. */
function render({model, el}) {
  const editor = document.createElement("curve-editor");
  if (model.get("zone")) editor.setAttribute("zone", model.get("zone"));
  editor.setAttribute("value", model.get("value"));
  const take = () => { editor.value = model.get("value"); };
  const give = () => {
    model.set("value", editor.value);
    model.save_changes();
  };
  editor.addEventListener("change", give);
  model.on("change:value", take);
  el.append(editor);
  return () => model.off("change:value", take);
}

export default {render};
