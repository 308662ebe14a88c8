"use strict";
// Long tables are sorted by a click on a heading; the longest show the rows with all words typed.
const MANY = 15;
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const given = [...body.rows];
  const heads = [...table.tHead.rows[0].cells].filter((each) => each.textContent);

  // Numbers by their size, whatever stands around them; texts by the alphabet; what is empty last.
  const value = (row, place) => {
    const text = row.cells[place].textContent.trim();
    const number = parseFloat(text.replace(/^[<>≤]/, "").replaceAll(",", ""));
    return text === "" || text === "-" ? null : Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) =>
    a === null || b === null ? (a === null) - (b === null)
      : typeof a === "number" && typeof b === "number" ? a - b : `${a}`.localeCompare(`${b}`);

  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.ariaSort = down ? "descending" : "ascending";
      const known = given.filter((row) => value(row, place) !== null);
      const sorted = known.sort((a, b) => compare(value(a, place), value(b, place)));
      if (down) sorted.reverse();
      body.append(...sorted, ...given.filter((row) => value(row, place) === null));
    });
  });

  if (given.length < MANY) continue;
  const label = document.createElement("label");
  const input = document.createElement("input");
  const shown = document.createElement("output");
  label.className = "filter";
  input.type = "search";
  label.append("Only rows with ", input, " ", shown);
  table.before(label);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of given) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    shown.textContent = words.length ? `${given.filter((row) => !row.hidden).length} of ${given.length}` : "";
  });
}
