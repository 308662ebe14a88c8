"use strict";
// Numbers and times as people read them, and the sentences of a report, by the rules of
// swfx.base.numbers and utilitysched.report.html.summary, to which tests hold them.
const words = (() => {
  const ALIKE = 5e-4; // ratios so near to 1 are as much as
  const LEAST_WHOLE = 100; // SU from which decimals are left out

  // A number with so many decimals; halves go to the even digit.
  function fixed(value, digits) {
    const exact = value.toFixed(digits + 20);
    const cut = exact.slice(0, -20).replace(/\.$/, "");
    const text = /50{19}$/.test(exact) && "02468".includes(cut.at(-1)) ? cut : value.toFixed(digits);
    const [integer, decimals] = text.split(".");
    const grouped = integer.replace(/\B(?=(\d{3})+$)/g, ",");
    return decimals ? `${grouped}.${decimals}` : grouped;
  }

  function known(write) {
    return (value) => (Number.isFinite(value) ? write(value) : "-");
  }

  const whole = known((value) => fixed(value, 0));

  const significant = known((value) => {
    if (value === 0) return "0";
    if (Number(value.toFixed(6)) === 0) return value > 0 ? "<0.000001" : ">-0.000001";
    const magnitude = Number(value.toExponential(2).split("e")[1]);
    return fixed(value, Math.min(Math.max(2 - magnitude, 0), 6));
  });

  const percent = known((share) => {
    if (share === 0) return "0";
    if (Math.abs(share) < 5e-5) return share > 0 ? "<0.01" : ">-0.01";
    return fixed(100 * share, Math.abs(share) >= 0.01 ? 1 : 2);
  });

  const number = known((value) => (Number.isInteger(value) ? whole(value) : significant(value)));

  function nearest(value) {
    return Number(fixed(value, 0).replaceAll(",", ""));
  }

  // A time as people say it, to two units: 2 h 46 min.
  const span = known((seconds) => {
    const two = (large, unit, small, part) => `${large} ${unit}${small ? ` ${small} ${part}` : ""}`;
    if (nearest(seconds) < 60) return `${fixed(seconds, 0)} s`;
    const minutes = nearest(seconds / 60);
    const hours = nearest(seconds / 3600);
    if (minutes < 60) return `${minutes} min`;
    if (minutes < 48 * 60) return two(Math.floor(minutes / 60), "h", minutes % 60, "min");
    return two(Math.floor(hours / 24), "d", hours % 24, "h");
  });

  function plural(count, thing) {
    return `${whole(count)} ${thing}${count === 1 ? "" : "s"}`;
  }

  const writers = {
    whole,
    significant,
    span,
    in_percent: (share) => `${percent(share)}%`,
    service_units: (value) => `${Math.abs(value) >= LEAST_WHOLE ? whole(value) : significant(value)} SU`,
    processor_hours: (hours) => `${whole(hours)} processor-hours`,
  };

  function beside(ratio) {
    if (Math.abs(ratio - 1) < ALIKE) return "as much as";
    if (ratio >= 0 && ratio < 2) return `${percent(Math.abs(ratio - 1))}% ${ratio > 1 ? "more" : "less"} than`;
    return `${Number(ratio.toPrecision(3))} times as much as`;
  }

  function starved(jobs) {
    return `${jobs ? plural(jobs, "job") : "no job"} starved`;
  }

  function alone(summary) {
    const share = summary("aggregate_share");
    return [
      ...(Number.isFinite(share) ? [`earned ${percent(share)}% of what its jobs were worth when they were submitted`] : []),
      `half of the jobs waited at most ${span(summary("wait_p50"))}`,
      `the longest wait was ${span(summary("wait_p100"))}`,
      starved(summary("jobs_starved")),
    ];
  }

  function instead(name, summary, first, metric) {
    const [now, before] = [summary, first].map((each) => span(each(metric)));
    return `${name} ${now}${now === before ? " in both" : ` instead of ${before}`}`;
  }

  function besideFirst(summary, first, baseline) {
    const [earned, before] = [summary, first].map((each) => each("aggregate_utility"));
    const wait = instead("mean wait", summary, first, "wait_mean");
    const clauses = before ? [`earns ${beside(earned / before)} ${baseline}`, wait] : [`beside ${baseline}: ${wait}`];
    clauses.push(instead("longest wait", summary, first, "wait_p100"));
    const [now, then] = [summary, first].map((each) => each("jobs_starved"));
    if (now || then) clauses.push(`${starved(now)}${then ? ` instead of ${whole(then)}` : ""}`);
    return clauses;
  }

  // A sentence for each run beside the first, who earns most first; one for a single run. Of each
  // run there is a function from the name of a metric to its value.
  function headline(labels, summaries) {
    const [first, ...others] = summaries;
    if (!others.length) return [`${labels[0]}: ${alone(first).join("; ")}.`];
    const rank = (each) => [-(each("aggregate_utility") || 0), each("wait_mean")];
    const order = others.map((each, i) => [...rank(each), i + 1]);
    order.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
    return order.map(([, , i]) => `${labels[i]} ${besideFirst(summaries[i], first, labels[0]).join("; ")}.`);
  }

  return { fixed, whole, significant, number, percent, span, plural, writers, headline };
})();
