"""The style and the script of report.html. The script puts texts into text nodes and never writes HTML."""

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
figure { margin: 1rem 0; } figure img { max-width: 100%; max-height: 26rem; background: #fff; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { text-align: left; cursor: pointer; position: sticky; top: 0; }
th.figure, td.figure { text-align: right; }
th[aria-sort="ascending"]::after { content: " ▲"; } th[aria-sort="descending"]::after { content: " ▼"; }
form { position: sticky; top: 0; padding: .5rem 0; background: Canvas; border-bottom: 1px solid var(--line); }
.card { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; margin: .8rem 0; }
.card h3 { font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
.card video, .card img { max-width: 100%; max-height: 20rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .5rem; max-height: 24rem;
  overflow-y: auto; margin: .3rem 0; }
.outcome { font-weight: 600; } .correct { color: #009e73; } .wrong { color: #d55e00; }
.unparsed, .refused, .failed, .missing { color: #8a6d00; }
"""

SCRIPT = """
"use strict";
(() => {
  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };
  const number = text => {
    const found = text.replace(/,/g, "").match(/^<?\\s*([+-]?\\d+(?:\\.\\d+)?)/);
    return found ? parseFloat(found[1]) : null;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map(row => [row.cells[column].textContent, row]);
        rows.sort(([one], [other]) => {
          const a = number(one), b = number(other);
          if (a === null && b === null) return (down ? -1 : 1) * one.localeCompare(other);
          if (a === null || b === null) return a === null ? 1 : -1;
          return (down ? -1 : 1) * (a - b);
        });
        body.append(...rows.map(([, row]) => row));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
    });
  }
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("filter"), cards = document.getElementById("cards");
  const where = document.getElementById("where");
  const PAGE = 20;
  let first = 0, found = [];
  const fill = (select, values, any) => {
    select.append(new Option(any, ""));
    values.forEach(([label, value]) => select.append(new Option(label, value)));
  };
  fill(form.elements.run, data.runs.map((label, place) => [label, String(place)]), "any");
  fill(form.elements.outcome, data.outcomes.map(one => [one, one]), "any");
  fill(form.elements.question, [...new Set(data.questions.map(one => one.question))].map(one => [one, one]), "any");
  const folded = (title, text) => {
    const details = make("details");
    details.append(make("summary", title), make("pre", text));
    return details;
  };
  const card = one => {
    const made = make("div", undefined, "card");
    made.append(make("h3", `${one.item} · ${one.question} · clip ${one.clip}`));
    if (one.video) {
      const video = make("video");
      video.controls = true; video.loop = true; video.muted = true; video.preload = "none"; video.src = one.video;
      made.append(video);
    }
    if (one.sheet) {
      const details = make("details"), image = make("img");
      image.loading = "lazy"; image.alt = "contact sheet"; image.src = one.sheet;
      details.append(make("summary", "contact sheet"), image);
      made.append(details);
    }
    made.append(folded("prompt", one.prompt), make("div", `key: ${one.key}`));
    one.said.forEach((said, place) => {
      const line = make("p");
      line.append(make("strong", data.runs[place]), " ", make("span", said.outcome, `outcome ${said.outcome}`));
      if (said.value !== undefined) line.append(` · read as ${said.value}`);
      if (said.reason !== undefined) line.append(` · ${said.reason}`);
      if (said.judged !== undefined) line.append(` · second reader: ${said.judged}`);
      if (said.facts !== undefined) line.append(` · ${said.facts}`);
      made.append(line);
      if (said.error !== undefined) made.append(make("div", `failed: ${said.error}`));
      if (said.reply !== undefined) made.append(make("pre", said.reply));
    });
    return made;
  };
  const draw = () => {
    cards.replaceChildren(...found.slice(first, first + PAGE).map(card));
    const last = Math.min(first + PAGE, found.length);
    where.textContent = found.length ? `${first + 1} to ${last} of ${found.length}` : "none";
  };
  const filter = () => {
    const run = form.elements.run.value, outcome = form.elements.outcome.value;
    const question = form.elements.question.value, item = form.elements.named.value.trim();
    found = data.questions.filter(one => {
      if (question && one.question !== question) return false;
      if (item && !one.item.includes(item)) return false;
      if (!outcome) return true;
      return (run ? [one.said[Number(run)]] : one.said).some(said => said.outcome === outcome);
    });
    first = 0;
    draw();
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", event => event.preventDefault());
  document.getElementById("back").addEventListener("click", () => { first = Math.max(0, first - PAGE); draw(); });
  document.getElementById("on").addEventListener("click", () => {
    if (first + PAGE < found.length) { first += PAGE; draw(); }
  });
  filter();
})();
"""
