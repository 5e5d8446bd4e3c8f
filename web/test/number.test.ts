import assert from "node:assert/strict";
import { test } from "node:test";
import { pointsWithInterval, withInterval } from "../src/judge/number";
import { count, differenceInterval, differenceNumber, duration, metricInterval, metricValue, moment, money, points, probability, shortPercent, significant } from "../src/text/number";

const share = { kind: "share", unit: "" };
const time = { kind: "time", unit: "s" };

test("counts are exact, with thousands separated as the language does", () => {
  assert.equal(count(600000, "en"), "600,000");
  assert.equal(count(600000, "zh"), "600,000");
  assert.equal(count(600000, "ru"), "600\u00a0000");
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

test("a tile reads 0 or 100 only where the share is exactly that", () => {
  assert.deepEqual([1, 0.9999, 0.5, 0.00001, 0].map((share) => shortPercent(share)), ["100", "99.9", "50", "0.1", "0"]);
  assert.deepEqual([0.996, 1, 0.001].map((share) => shortPercent(share, 0)), ["99", "100", "1"]);
  assert.deepEqual([-1, 0.125, 0].map(points), ["−100", "+12.5", "0"]);
});

test("values and intervals of a metric", () => {
  assert.equal(metricValue(0.8571, share, "ru"), "0.857");
  assert.equal(metricValue(1.25, time, "en"), "1.25");
  assert.equal(metricInterval({ low: 0.58, high: 0.7149 }, share, "en"), "[0.580, 0.715]");
  assert.equal(metricInterval(null, share, "en"), "");
});

test("rounding never leaves a number of too many digits, nor a minus before nothing", () => {
  const shown = [0.9996, 9.996, 999.7, -0.0004, 1e-9, 1e16].map((value) => significant(value, "en"));
  assert.deepEqual(shown, ["1", "10", "1,000", "−0.0004", "1.00e−9", "1.00e+16"]);
  assert.equal(count(-0.4, "en"), "0");
  assert.equal(money(-1234.5, "ru"), "−$1234.50");
});

test("figures of judges have their interval beside them", () => {
  assert.equal(withInterval(0.81, { low: 0.67, high: 0.9 }, "en"), "0.810 [0.670, 0.900]");
  assert.equal(withInterval(-0.2, null, "en"), "−0.200");
  assert.equal(pointsWithInterval(-0.05, { low: -0.1, high: 0 }, "en"), "−5.0 [−10.0, 0.0]");
  assert.deepEqual([withInterval(null, null, "en"), pointsWithInterval(null, null, "en")], ["–", "–"]);
});

test("a moment names its year only if it is another one, and what is no moment stays", () => {
  const year = new Date().getFullYear();
  assert.ok(!moment(`${year}-03-05T10:00:00`, "en").includes(String(year)));
  assert.match(moment("2019-03-05T10:07:00", "en"), /5 Mar 2019.*10:07/);
  assert.deepEqual([moment("soon", "en"), moment(null, "en")], ["soon", "–"]);
});

test("durations, money and probabilities", () => {
  const times = [0.0012, 0.5, 7.68, 185, 7800].map((seconds) => duration(seconds, "en").replaceAll("\u00a0", " "));
  assert.deepEqual(times, ["1.2 ms", "500 ms", "7.68 s", "3 min 05 s", "2 h 10 min"]);
  assert.deepEqual([money(12.5, "en"), money(0.00123, "en"), money(0, "en")], ["$12.50", "$0.00123", "$0"]);
  assert.deepEqual([probability(0.0004), probability(0.0421), probability(null)], ["p < 0.001", "p = 0.042", ""]);
});
