"use strict";
// Reading needs none of this: it adds sorting, filtering, searching and copying to what stands in the page.
(() => {
  const said = document.getElementById("said");
  const say = (text) => { said.textContent = text; };

  function copyText(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "only-heard";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("copy refused"));
  }

  function addCopy(figure) {
    const label = figure.querySelector("figcaption").textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    const words = said.dataset;
    button.textContent = words.copy;
    button.setAttribute("aria-label", `${words.copy}: ${label}`);
    button.addEventListener("click", () => copyText(figure.querySelector("code").textContent).then(
      () => { button.textContent = words.copied; say(`${words.copied}: ${label}`); },
      () => { button.textContent = words.refused; say(words.refused); }));
    figure.append(button);
  }

  function value(row, column, numeric) {
    const text = row.cells[column].textContent;
    return numeric ? Number(text.replace(/[^\d.-]/g, "")) : text.toLowerCase();
  }

  function rowsOf(table) {
    return Array.from(table.tBodies).flatMap((body) => Array.from(body.rows));
  }

  // A block of a long table is measured only when it comes into view; until then it keeps about this height.
  function fit(table) {
    if (!table.classList.contains("long")) return;
    for (const body of table.tBodies) {
      const shown = Array.from(body.rows).filter((row) => !row.hidden).length;
      body.hidden = shown === 0;
      body.style.containIntrinsicBlockSize = `auto ${shown * 2.4}rem`;
    }
  }

  function sort(table, head, column) {
    const numeric = head.hasAttribute("data-number");
    const now = head.getAttribute("aria-sort");
    const direction = now ? (now === "ascending" ? "descending" : "ascending") : (numeric ? "descending" : "ascending");
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = rowsOf(table).map((row, index) => [value(row, column, numeric), index, row]);
    keyed.sort((a, b) => (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : a[1] - b[1]));
    const bodies = Array.from(table.tBodies);
    const size = Math.max(...bodies.map((body) => body.rows.length));
    bodies.forEach((body, number) => {
      body.append(...keyed.slice(number * size, (number + 1) * size).map((entry) => entry[2]));
    });
    fit(table);
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    say(`Sorted by ${head.textContent}, ${direction}`);
  }

  function addSort(table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => sort(table, head, column));
      head.replaceChildren(button);
    });
  }

  function addFilter(controls) {
    const tables = controls.dataset.for.split(" ").map((id) => document.getElementById(id));
    const search = controls.querySelector("input[type=search]");
    const boxes = Array.from(controls.querySelectorAll("input[type=checkbox]"));
    const out = controls.querySelector("output");
    let rows = null;
    function apply() {
      rows = rows || tables.flatMap(rowsOf).map((row) => [row, row.textContent.toLowerCase(), row.dataset.support]);
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const open = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
      let shown = 0;
      for (const [row, text, support] of rows) {
        const keep = (!boxes.length || open.has(support)) && words.every((word) => text.includes(word));
        if (row.hidden === keep) row.hidden = !keep;
        shown += keep;
      }
      tables.forEach(fit);
      // What is searched for is not left in a folded table.
      for (const table of words.length ? tables : []) {
        const folded = table.closest("details.folded");
        if (folded && rowsOf(table).some((row) => !row.hidden)) folded.open = true;
      }
      out.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} shown`;
    }
    let timer = 0;
    search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
    for (const box of boxes) box.addEventListener("change", apply);
    controls.hidden = false;
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one; one = one.parentElement) if (one instanceof HTMLDetailsElement) one.open = true;
  }

  addEventListener("hashchange", openTarget);
  openTarget();
  document.querySelectorAll("figure.code").forEach(addCopy);
  document.querySelectorAll("table.sortable").forEach(addSort);
  document.querySelectorAll(".controls").forEach(addFilter);
  addEventListener("beforeprint", () => document.querySelectorAll("details.print").forEach((d) => { d.open = true; }));
})();
