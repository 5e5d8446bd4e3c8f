import assert from "node:assert/strict";
import { test } from "node:test";
import { count, differenceInterval, differenceNumber, duration, metricInterval, metricValue, money, probability, significant } from "../src/text/number";

const share = { kind: "share", unit: "" };
const time = { kind: "time", unit: "s" };

test("counts are exact, with thousands separated as the language does", () => {
  assert.equal(count(600000, "en"), "600,000");
  assert.equal(count(600000, "zh"), "600,000");
  assert.equal(count(600000, "ru"), "600\u202f000");
  assert.equal(count(1000, "ru"), "1000");
  assert.equal(count(null, "en"), "–");
});

test("numbers have three significant digits", () => {
  const shown = [0, 1, 0.12345, 12.345, 1234.5, 0.000123456, -0.5].map((value) => significant(value, "en"));
  assert.deepEqual(shown, ["0", "1", "0.123", "12.3", "1,235", "0.000123", "−0.5"]);
});

test("unknown is a dash, never NaN and never zero", () => {
  for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
    assert.deepEqual([metricValue(value, share, "en"), money(value, "en"), duration(value, "en")], ["–", "–", "–"]);
});

test("differences of shares are in points, with a real minus sign and none for zero", () => {
  assert.equal(differenceNumber(-0.136, share, "en"), "−13.6");
  assert.equal(differenceNumber(0.0361, share, "en"), "+3.6");
  assert.equal(differenceNumber(-0.00001, share, "en"), "0.0");
  assert.equal(differenceNumber(-0.25, time, "en"), "−0.25");
  assert.equal(differenceInterval({ low: -0.22, high: -0.081 }, share, "en"), "[−22.0, −8.1]");
});

test("values and intervals of a metric", () => {
  assert.equal(metricValue(0.8571, share, "ru"), "0.857");
  assert.equal(metricValue(1.25, time, "en"), "1.25");
  assert.equal(metricInterval({ low: 0.58, high: 0.7149 }, share, "en"), "[0.580, 0.715]");
  assert.equal(metricInterval(null, share, "en"), "");
});

test("durations, money and probabilities", () => {
  const times = [0.0012, 0.5, 7.68, 185, 7800].map((seconds) => duration(seconds, "en").replaceAll("\u00a0", " "));
  assert.deepEqual(times, ["1.2 ms", "500 ms", "7.68 s", "3 min 05 s", "2 h 10 min"]);
  assert.deepEqual([money(12.5, "en"), money(0.00123, "en"), money(0, "en")], ["$12.50", "$0.00123", "$0"]);
  assert.deepEqual([probability(0.0004), probability(0.0421), probability(null)], ["p < 0.001", "p = 0.042", ""]);
});
