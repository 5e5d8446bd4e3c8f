// Draws the heatmaps of the page from the JSON in its element "data".
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = data.words;
  const map = data.heatmap;
  const state = { view: map.view, mean: map.mean, palette: map.palette };
  const tip = document.getElementById("tip");
  const dialog = document.getElementById("listing");

  // Creates an element. Strings become text nodes, so the data are never parsed as markup.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  const channels = (text) => [1, 3, 5].map((start) => parseInt(text.slice(start, start + 2), 16));
  const stops = (scale) => data.palettes[scale === "recall" ? state.palette : scale];

  // The same calculation as colour() in grid.py.
  function colour(value, panel) {
    const share = panel.scale === "difference" ? (value / panel.reach + 1) / 2 : value / panel.reach;
    const ramp = stops(panel.scale).map(channels);
    const position = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
    const below = Math.min(Math.floor(position), ramp.length - 2);
    return ramp[below].map((low, i) => Math.round(low + (ramp[below + 1][i] - low) * (position - below)));
  }

  // Black or white text, whichever has the higher contrast (WCAG); as ink() in grid.py.
  function ink(rgb) {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
  }

  // ---- controls -------------------------------------------------------------------------
  function choice(name, title, options) {
    const box = make("fieldset", {}, make("legend", {}, title));
    for (const [value, text] of options) {
      const input = make("input", { type: "radio", name, value });
      input.checked = state[name] === value;
      input.addEventListener("change", () => {
        state[name] = value;
        draw();
      });
      box.append(make("label", {}, input, text));
    }
    return box;
  }

  function controls() {
    const holder = document.getElementById("controls");
    const has = (test) => map.panels.some(test);
    if (has((panel) => panel.scale !== "count")) {
      holder.append(choice("view", words["answers counted"], [["all", words["all"]], ["parsed", words["parsed"]]]));
    }
    if (has((panel) => panel.scale === "recall" && Object.keys(panel.grids.all.margins).length)) {
      holder.append(choice("mean", words["means"], [["cells", words["of cells"]], ["questions", words["of questions"]]]));
    }
    if (has((panel) => panel.scale === "recall")) {
      holder.append(choice("palette", words["colours"], [["green-red", words["green-red"]], ["safe", words["safe"]]]));
    }
  }

  // ---- maps -----------------------------------------------------------------------------
  function tileButton(tile, panel, row, column, where) {
    const empty = tile.value === undefined || tile.value === null;
    const facts = (tile.tip || []).map(([name, value]) => `${name}${words["colon"]}${value}`);
    const button = make("button", {
      type: "button",
      class: "tile",
      tabindex: row === 0 && column === 0 ? "0" : "-1",
      "data-row": row,
      "data-column": column,
      "data-where": where,
      "aria-label": facts.join(", ") || words["no data"],
      "aria-haspopup": tile.listing === undefined ? null : "dialog",
    }, tile.text || "");
    if (empty) {
      button.classList.add("empty");
    } else {
      const rgb = colour(tile.value, panel);
      button.style.setProperty("--tile", `rgb(${rgb.join(",")})`);
      button.style.setProperty("--tile-ink", ink(rgb));
    }
    if ((tile.text || "").length > 4) button.classList.add("long");
    if (tile.marked) button.classList.add("marked");
    if (tile.listing !== undefined) button.classList.add("open");
    button.addEventListener("mouseenter", () => showTip(button, tile));
    button.addEventListener("mouseleave", hideTip);
    button.addEventListener("focus", () => showTip(button, tile));
    button.addEventListener("blur", hideTip);
    button.addEventListener("click", () => tile.listing !== undefined && open(tile));
    return make("td", {}, button);
  }

  function table(panel, number) {
    const grid = panel.grids[state.view];
    const margin = grid.margins[state.mean] || null;
    const axes = panel.axes || map;
    const meanTitle = panel.scale === "difference" ? words["mean of questions"] : words[`mean of ${state.mean}`];
    const head = make("thead", {},
      make("tr", {},
        make("td", {}),
        make("td", { class: "axis", colspan: axes.columns.length }, axes.column_title)),
      make("tr", {},
        make("td", { class: "side" }, axes.row_title),
        ...axes.columns.map((name) => make("th", { scope: "col" }, name)),
        margin && make("th", { scope: "col", class: "mean gap" }, meanTitle)));
    const body = make("tbody", {});
    grid.tiles.forEach((tiles, row) => {
      const line = make("tr", {}, make("th", { scope: "row", title: axes.rows[row] }, axes.rows[row]));
      tiles.forEach((tile, column) => line.append(tileButton(tile, panel, row, column, "cell")));
      if (margin) line.append(gap(tileButton(margin.rows[row], panel, row, tiles.length, "row")));
      body.append(line);
    });
    if (margin) {
      const row = grid.tiles.length;
      const line = make("tr", { class: "below" }, make("th", { scope: "row", class: "mean" }, meanTitle));
      margin.columns.forEach((tile, column) => line.append(tileButton(tile, panel, row, column, "column")));
      line.append(gap(tileButton(margin.corner, panel, row, margin.columns.length, "corner")));
      body.append(line);
    }
    const element = make("table", { class: "map", "aria-labelledby": `map-${number}` }, head, body);
    element.addEventListener("keydown", (event) => move(event, element));
    return element;
  }

  function gap(cell) {
    cell.classList.add("gap");
    return cell;
  }

  // Arrow keys, Home and End move the focus between the tiles of a map. The Tab key reaches one
  // tile of each map: the one that these keys selected last, at the beginning the first one.
  function move(event, within) {
    const current = event.target;
    if (!current.classList.contains("tile")) return;
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    let target = null;
    if (event.key in steps) {
      const [down, right] = steps[event.key];
      target = find(within, Number(current.dataset.row) + down, Number(current.dataset.column) + right);
    } else if (event.key === "Home" || event.key === "End") {
      const line = within.querySelectorAll(`.tile[data-row="${current.dataset.row}"]`);
      target = line[event.key === "Home" ? 0 : line.length - 1];
    } else {
      return;
    }
    event.preventDefault();
    if (target) {
      within.querySelectorAll('.tile[tabindex="0"]').forEach((tile) => tile.setAttribute("tabindex", "-1"));
      target.setAttribute("tabindex", "0");
      target.focus();
    }
  }

  const find = (within, row, column) => within.querySelector(`.tile[data-row="${row}"][data-column="${column}"]`);

  function draw() {
    hideTip();
    document.body.classList.toggle("dense", map.dense);
    const holder = document.getElementById("maps");
    holder.replaceChildren(...map.panels.map((panel, number) => make("figure", { "data-panel": number, class: panel.axes && panel.axes.dense ? "dense" : null },
      make("h2", { id: `map-${number}` }, panel.name),
      make("div", { class: "frame" }, table(panel, number)),
      panel.scale === "recall" ? make("figcaption", { class: "view" }, words[`view ${state.view}`]) : null,
      panel.note ? make("figcaption", {}, panel.note) : null)));
    legend();
  }

  function legend() {
    const scales = new Map(map.panels.map((panel) => [panel.scale, panel]));
    const parts = [];
    for (const [scale, panel] of scales) {
      const ramp = make("span", { class: "ramp", "aria-hidden": "true" });
      ramp.style.setProperty("--ramp", `linear-gradient(90deg, ${stops(scale).join(",")})`);
      parts.push(make("div", {}, data.legends[scale][0], ramp, data.legends[scale][1]));
      if (scale === "difference") {
        parts.push(make("div", {}, make("span", { class: "swatch marked", "aria-hidden": "true" }), words["framed"]));
      }
    }
    parts.push(make("div", {}, make("span", { class: "swatch empty", "aria-hidden": "true" }), words["no data"]));
    document.getElementById("legend").replaceChildren(...parts);
  }

  // ---- tooltip --------------------------------------------------------------------------
  function facts(pairs) {
    const list = make("dl", { class: "facts" });
    for (const [name, value] of pairs || []) list.append(make("dt", {}, name), make("dd", {}, value));
    return list;
  }

  function showTip(button, tile) {
    tip.replaceChildren(facts(tile.tip));
    tip.hidden = false;
    const tileBox = button.getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, tileBox.left + tileBox.width / 2 - box.width / 2), window.innerWidth - box.width - 8);
    const above = tileBox.top - box.height - 8;
    const below = tileBox.bottom + 8;
    const top = below + box.height > window.innerHeight - 8 && above >= 0 ? above : below;
    tip.style.setProperty("left", `${Math.max(8, left)}px`);
    tip.style.setProperty("top", `${top}px`);
  }

  function hideTip() {
    tip.hidden = true;
  }

  // ---- dialog with the questions of a cell ------------------------------------------------
  function open(tile) {
    const listing = map.listings[tile.listing];
    const isPair = listing.models.length > 1;
    const only = make("input", { type: "checkbox" });
    const entries = make("ol", { class: "entries", tabindex: "0", "aria-labelledby": "listing-title" });
    const close = make("button", { type: "button", class: "close" }, words["close"]);
    close.addEventListener("click", () => dialog.close());
    const fill = () => fillEntries(entries, listing, only.checked);
    only.addEventListener("change", fill);
    const tileFacts = make("dl", { class: "facts" },
      ...(tile.tip || []).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
    dialog.replaceChildren(
      make("div", { class: "head" },
        make("div", { class: "top" }, make("h2", { id: "listing-title" }, listing.title), close),
        tileFacts,
        make("label", {}, only, isPair ? words["changed only"] : words["wrong only"])),
      entries);
    fill();
    hideTip();
    dialog.showModal();
    close.focus();
  }

  function fillEntries(holder, listing, only) {
    const isPair = listing.models.length > 1;
    // a reply is an array: answer, score, whether it was parsed, further facts
    const entries = listing.entries.filter(([, replies]) => {
      if (state.view === "parsed" && replies.some((reply) => !reply[2])) return false;
      if (!only) return true;
      return isPair ? replies[0][1] !== replies[1][1] : replies[0][1] < 1;
    });
    const items = entries.map((entry) => entryItem(entry, listing.models));
    const more = listing.more[state.view];
    if (more) items.push(make("li", { class: "small" }, more));
    if (!items.length) items.push(make("li", { class: "small" }, words["none listed"]));
    holder.replaceChildren(...items);
  }

  function entryItem([index, replies], models) {
    const question = map.questions[index];
    const item = make("li", {}, make("div", { class: "question" }, question.text));
    if (question.choices) {
      item.append(make("ul", { class: "choices" }, ...question.choices.map(([letter, text]) => {
        const right = (question.right || []).includes(letter);
        return make("li", { class: right ? "right" : null }, `${right ? "✓ " : "   "}${letter}. ${text}`);
      })));
    }
    const correct = [question.correct ? `${words["correct answer"]}${words["colon"]}${question.correct}` : "", question.facts || ""];
    item.append(make("div", { class: "small" }, correct.filter(Boolean).join(" · ")));
    replies.forEach(([answer, score, parsed, extra], number) => {
      item.append(make("div", { class: "reply" },
        make("span", { class: "who" }, `${models[number]}${words["colon"]}`),
        answer || words["no answer"], " ",
        make("span", { class: `score ${score === 1 ? "full" : "part"}` }, `${words["score"]} ${shownScore(score)}`),
        parsed ? null : make("span", { class: "badge" }, words["unparsed"]),
        extra ? make("span", { class: "small" }, ` · ${extra}`) : null));
    });
    return item;
  }

  const shownScore = (score) => String(Math.round(score * 1000) / 1000).replace(".", map.lang === "ru" ? "," : ".");

  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });
  window.addEventListener("scroll", hideTip, { passive: true });

  controls();
  draw();
})();
