"use strict";
// Columns of the jobs and runs, and what charts draw of all jobs or of those chosen: computed by
// the definitions of utilitysched.analysis, to which tests hold it.
const columns = (() => {
  const WEEK = 604800;
  const LEVELS = 1000; // rows of pixels that a distribution is thinned to
  const ARRAYS = {
    uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float32: Float32Array, float64: Float64Array,
  };

  // Give an object a property that is made when it is first asked for.
  function lazily(object, name, make) {
    const get = () => {
      const value = make();
      Object.defineProperty(object, name, { value });
      return value;
    };
    return Object.defineProperty(object, name, { configurable: true, enumerable: true, get });
  }

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
    const index = JSON.parse(document.getElementById("index").textContent);
    return new Map(index.map(({ name, columns }) => {
      const group = {};
      for (const [key, where] of Object.entries(columns)) {
        lazily(group, key, () => (typeof where[1] === "number" ? column(where) : where));
      }
      return [name, group];
    }));
  }

  function added(one, other) {
    const found = new Float64Array(one.length);
    for (let i = 0; i < one.length; i++) found[i] = one[i] + other[i];
    return found;
  }

  // A run: columns by job; spans of time in which jobs ran; rectangles of the picture, by span.
  function opened(stored, place) {
    const jobs = stored.get("jobs");
    const run = {};
    const groups = ["run", "stops", "rectangles"].map((name) => stored.get(`${name} ${place}`) ?? {});
    for (const group of [{ submit: 0, run: 0 }, ...groups]) {
      for (const name of Object.keys(group)) {
        const from = groups.includes(group) ? group : jobs;
        lazily(run, name, () => from[name]);
      }
    }
    if (!("length" in run)) lazily(run, "length", () => jobs.run);
    if (!("ran" in run)) lazily(run, "ran", () => run.length);
    lazily(run, "end", () => added(run.start, run.length));
    lazily(run, "spans", () => stored.get(`spans ${place}`)
      ?? { job: null, from: run.start, until: run.end, entered: run.submit });
    lazily(run, "high", () => added(run.low, run.width));
    run.owner = (span) => (run.spans.job ? run.spans.job[span] : span);
    run.kills = stored.get(`kills ${place}`);
    run.outages = stored.get(`outages ${place}`);
    run.causes = stored.get(`causes ${place}`)?.name;
    return run;
  }

  // ---- orders, steps, distributions

  // Positions of numbers from 0 on in ascending order, equal ones as they were: by 16 bits at a time.
  function order(values) {
    const digits = new Uint16Array(Float64Array.from(values).buffer);
    let from = upTo(values.length);
    let to = new Uint32Array(values.length);
    const count = new Uint32Array(65537);
    for (let digit = 0; digit < 4; digit++) {
      count.fill(0);
      for (let i = digit; i < digits.length; i += 4) count[digits[i] + 1]++;
      if (count.includes(values.length, 1)) continue; // all alike
      for (let i = 1; i < count.length; i++) count[i] += count[i - 1];
      for (const place of from) to[count[digits[4 * place + digit]]++] = place;
      [from, to] = [to, from];
    }
    return from;
  }

  // What changes add up to from each instant on; those at which nothing changes are left out.
  function steps(times, changes) {
    const sorted = order(times);
    const time = new Float64Array(sorted.length);
    const value = new Float64Array(sorted.length);
    let sum = 0;
    let kept = 0;
    for (let i = 0; i < sorted.length;) {
      const first = i;
      const now = times[sorted[i]];
      let change = 0;
      for (; i < sorted.length && times[sorted[i]] === now; i++) change += changes[sorted[i]];
      sum += change;
      if (change === 0 && first > 0 && i < sorted.length) continue;
      time[kept] = now;
      value[kept++] = sum;
    }
    return { time: time.subarray(0, kept), value: value.subarray(0, kept) };
  }

  // Sum of weights of what is there from a time to another.
  function present(spans, begin, finish, weight) {
    const times = new Float64Array(2 * spans.length);
    const changes = new Float64Array(2 * spans.length);
    spans.forEach((span, i) => {
      times[2 * i] = begin[span];
      times[2 * i + 1] = finish[span];
      changes[2 * i] = weight(span);
      changes[2 * i + 1] = -changes[2 * i];
    });
    return steps(times, changes);
  }

  // Distinct values of ascending ones, and which share of all is at most each; thinned to rows of
  // pixels.
  function distribution(sorted) {
    const value = [];
    const share = [];
    sorted.forEach((each, i) => {
      if (each === sorted[i + 1]) return;
      value.push(each);
      share.push((i + 1) / sorted.length);
    });
    if (value.length <= 2 * LEVELS) return { value, share };
    const row = (i) => Math.min(Math.floor(share[i] * LEVELS), LEVELS - 1);
    const kept = [...value.keys()].filter((i) => i === 0 || i === value.length - 1
      || row(i) !== row(i - 1) || row(i) !== row(i + 1));
    return { value: kept.map((i) => value[i]), share: kept.map((i) => share[i]) };
  }

  // The one of ascending values at which so many percent of all are reached.
  function percentile(sorted, level) {
    return sorted[Math.max(Math.ceil((level * sorted.length) / 100) - 1, 0)];
  }

  function sum(all) {
    let found = 0;
    for (const each of all) found += each;
    return found;
  }

  // A number for each of some jobs: loops are ten times as fast as the array's own constructors.
  function mapped(some, value) {
    const found = new Float64Array(some.length);
    for (let i = 0; i < some.length; i++) found[i] = value(some[i]);
    return found;
  }

  function upTo(count) {
    const found = new Uint32Array(count);
    for (let i = 0; i < count; i++) found[i] = i;
    return found;
  }

  function mean(all) {
    return sum(all) / all.length;
  }

  // ---- of the jobs chosen

  // What charts draw of some jobs of a run, by their positions.
  function chosen(jobs, run, picked, { machine, tau, threshold }) {
    const of = (value) => mapped(picked, value);
    const waited = (j) => run.start[j] - run.submit[j];
    const slowdown = (j) => Math.max((run.end[j] - run.submit[j]) / Math.max(jobs.run[j], tau), 1);
    const counted = jobs.measured ? picked.filter((j) => jobs.measured[j]) : picked;
    // Jobs that were killed before their work was done have no slowdown.
    const completed = run.cut ? (j) => !run.cut[j] : () => true;
    const whole = counted.filter(completed);
    const measured = (value) => mapped(counted, value);
    const sorted = lazily({}, "waits", () => measured(waited).sort());
    const spans = () => {
      const { job } = run.spans;
      if (!job) return picked;
      const taken = new Uint8Array(jobs.size.length);
      for (const j of picked) taken[j] = 1;
      return upTo(job.length).filter((span) => taken[job[span]]);
    };
    const size = (span) => jobs.size[run.owner(span)];
    const first = () => run.submit.reduce((least, each) => Math.min(least, each), Infinity);
    const length = (some) => {
      let begin = Infinity;
      let end = 0;
      for (const j of some) {
        begin = Math.min(begin, run.submit[j]);
        end = Math.max(end, run.end[j]);
      }
      return end - begin;
    };

    // Time in the queue, after stops included.
    const queued = () => {
      const { job, entered, from } = run.spans;
      if (!job) return waited;
      const found = new Float64Array(jobs.size.length);
      job.forEach((j, span) => { found[j] += from[span] - entered[span]; });
      return (j) => found[j];
    };

    const everything = lazily({}, "length", () => length(upTo(jobs.size.length)));
    const held = (value) => sum(of((j) => jobs.size[j] * value(j)));
    const count = (is) => counted.reduce((total, j) => total + (is(j) ? 1 : 0), 0);
    const share = (is) => count(is) / counted.length;
    const stops = (column) => (column ? (j) => column[j] : undefined);
    const hours = (column) => column && (() => held(stops(column)) / 3600);
    const ran = (j) => run.ran[j];

    // Processors in use between two instants, as a share of the machine.
    const between = (begin, end) => {
      let used = 0;
      for (const span of spans()) {
        const time = Math.min(run.spans.until[span], end) - Math.max(run.spans.from[span], begin);
        if (time > 0) used += size(span) * time;
      }
      return used / (machine * (end - begin));
    };
    const fairness = lazily({}, "users", () => {
      const [, jobsOf, sums] = byKey(whole.filter((j) => jobs.user[j] >= 0), (j) => jobs.user[j], [slowdown]);
      return lorenz(sums.map((each, i) => each / jobsOf[i]));
    });

    // By the names in summary.json; those that only some runs have are undefined in others.
    const metrics = {
      jobs: () => picked.length,
      jobs_measured: () => counted.length,
      aggregate_utility: () => sum(of((j) => run.earned[j])),
      aggregate_share: () => sum(of((j) => run.earned[j])) / sum(of((j) => jobs.worth[j])),
      start_value_share_p50: () => percentile(
        measured((j) => run.earned[j] / jobs.worth[j]).filter(Number.isFinite).sort().reverse(), 50),
      utilisation: () => held(ran) / (machine * everything.length),
      submission_utilisation: () => between(first(), run.submit.reduce((most, each) => Math.max(most, each), 0)),
      makespan: () => length(picked),
      wait_mean: () => mean(sorted.waits),
      wait_p50: () => percentile(sorted.waits, 50),
      wait_p98: () => percentile(sorted.waits, 98),
      wait_p100: () => percentile(sorted.waits, 100),
      turnaround_mean: () => mean(measured((j) => run.end[j] - run.submit[j])),
      bounded_slowdown_mean: () => mean(mapped(whole, slowdown)),
      requested_expansion_factor_p75: () => {
        const time = queued();
        const some = whole.filter((j) => jobs.request[j] > 0);
        return percentile(mapped(some, (j) => (time(j) + jobs.request[j]) / jobs.request[j]).sort(), 75);
      },
      share_run_at_once: () => share((j) => run.start[j] === run.submit[j]),
      share_backfilled: () => share((j) => run.backfilled?.[j]),
      jobs_starved: () => count((j) => waited(j) > threshold),
      jain_user_bounded_slowdown: () => fairness.users.jain,
      gini_user_bounded_slowdown: () => fairness.users.gini,
      jobs_cut_short: run.cut && (() => counted.length - whole.length),
      preemptions: run.preemptions && (() => sum(of(stops(run.preemptions)))),
      share_preempted: run.preemptions && (() => share((j) => run.preemptions[j] > 0)),
      failures: run.failures && (() => sum(of(stops(run.failures)))),
      queued_mean: run.preemptions && (() => mean(measured(queued()))),
      processor_hours_lost: hours(run.lost),
      processor_hours_overhead: hours(run.overhead),
      effective_utilisation: run.kept && (() => held(stops(run.kept)) / (machine * everything.length)),
    };

    // Sums over the jobs of each key, ascending: how many, and of each value.
    const byKey = (some, key, values) => {
      const all = mapped(some, key);
      const keys = [...new Set(all)].sort((a, b) => a - b);
      const place = new Map(keys.map((each, i) => [each, i]));
      const places = mapped(all, (each) => place.get(each));
      const totals = [() => 1, ...values].map((value) => {
        const found = new Float64Array(keys.length);
        some.forEach((j, i) => { found[places[i]] += value(j); });
        return found;
      });
      return [keys, ...totals];
    };

    return {
      metric: (name) => metrics[name]?.(),
      has: (name) => Boolean(metrics[name]),
      steps: (name) => ({
        utilisation: () => present(spans(), run.spans.from, run.spans.until, (span) => (100 * size(span)) / machine),
        queue: () => present(spans(), run.spans.entered, run.spans.from, () => 1),
        utility: () => steps(of((j) => run.end[j]), of((j) => run.earned[j])),
        undelayed: () => steps(of((j) => run.submit[j] + jobs.run[j]), of((j) => jobs.at_best[j])),
        offered: () => steps(of((j) => run.submit[j]), of((j) => jobs.worth[j])),
      })[name](),
      waits: () => distribution(jobs.measured ? of(waited).sort() : sorted.waits),
      shares: () => distribution(of((j) => run.earned[j] / jobs.worth[j]).filter(Number.isFinite).sort()),

      // A metric of each week: when it begins, how many days of it are covered, the value. Weeks of
      // which nothing is, or which have no job, are left out.
      weekly: (name) => {
        const begin = first();
        const running = name === "utilisation";
        const last = (running ? run.end : run.submit).reduce((most, each) => Math.max(most, each), 0);
        const count = Math.floor((last - begin) / WEEK) + 1;
        const total = new Float64Array(count);
        const jobsOf = new Float64Array(count);
        const value = {
          wait: (j) => waited(j) / 3600, "bounded-slowdown": slowdown, utility: (j) => run.earned[j],
        }[name];
        const some = name === "bounded-slowdown" ? picked.filter(completed) : picked;
        for (const j of running ? [] : some) {
          const i = Math.floor((run.submit[j] - begin) / WEEK);
          total[i] += value(j);
          jobsOf[i]++;
        }
        const { from, until } = run.spans;
        for (const span of running ? spans() : []) {
          const end = Math.min(Math.floor((until[span] - begin) / WEEK), count - 1);
          for (let i = Math.floor((from[span] - begin) / WEEK); i <= end; i++) {
            const stop = Math.min(until[span], begin + (i + 1) * WEEK);
            total[i] += (100 * size(span) * (stop - Math.max(from[span], begin + i * WEEK))) / machine;
          }
        }
        return Array.from(total, (sumOf, i) => {
          const start = begin + i * WEEK;
          const covered = Math.min(last - start, WEEK);
          const by = { utilisation: covered, utility: 1 }[name] ?? jobsOf[i];
          return { start, days: covered / 86400, value: by > 0 ? sumOf / by : NaN };
        }).filter(({ days, value: one }) => days > 0 && Number.isFinite(one));
      },

      // Known users, ascending: jobs, processor-hours, mean wait (s) and bounded slowdown.
      users: () => {
        const known = picked.filter((j) => jobs.user[j] >= 0);
        const hours = (j) => (jobs.size[j] * run.ran[j]) / 3600;
        const done = (j) => Number(completed(j));
        const [user, count, used, wait, slowed, finished] = byKey(
          known, (j) => jobs.user[j], [hours, waited, (j) => (done(j) ? slowdown(j) : 0), done]);
        const means = (sums, over = count) => sums.map((each, i) => each / over[i]);
        return { user, jobs: count, hours: used, wait: means(wait), slowdown: means(slowed, finished) };
      },

      // Charge and utility (SU) of each user, the largest charge first.
      payers: () => {
        const pay = picked.filter((j) => !Number.isNaN(run.charge[j]));
        const values = [(j) => run.charge[j], (j) => run.earned[j]];
        const [user, , charge, utility] = byKey(pay, (j) => jobs.user[j], values);
        const sorted = [...user.keys()].sort((a, b) => charge[b] - charge[a]);
        return sorted.map((i) => ({ user: user[i], charge: charge[i], utility: utility[i] }));
      },
    };
  }

  // Shares of the users, the least first, and what they have together; how uneven that is.
  function lorenz(all) {
    const sorted = Float64Array.from(all).filter(Number.isFinite).sort();
    const whole = sum(sorted);
    const users = [0];
    const metric = [0];
    let soFar = 0;
    let ranked = 0;
    let squares = 0;
    sorted.forEach((each, i) => {
      soFar += each;
      ranked += (2 * (i + 1) - sorted.length - 1) * each;
      squares += each * each;
      users.push((i + 1) / sorted.length);
      metric.push(whole > 0 ? soFar / whole : users.at(-1));
    });
    const gini = whole > 0 ? ranked / (sorted.length * whole) : 0;
    const jain = squares > 0 ? (whole * whole) / (sorted.length * squares) : 1;
    return { users, metric, gini, jain };
  }

  return { unpacked, opened, chosen, lorenz, upTo };
})();
