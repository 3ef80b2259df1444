import assert from "node:assert/strict";
import test from "node:test";
import { trimLines } from "../src/index.js";

test("takes off what is common", () => {
  assert.equal(trimLines`
    a
      b
  `, "a\n  b");
});

test("leaves a single line alone", () => {
  assert.equal(trimLines`a`, "a");
});
