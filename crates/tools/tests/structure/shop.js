#!/usr/bin/env node
'use strict';
/**
 * @fileoverview A shop that sells tea.
 */

const fs = require('fs');
const { join } = require("path");
import price, { tax } from './price.js';
export * from './stock';

/** A shop. */
export class Shop extends Base {
  #secret = 1;
  static open = async (name) => { return new Shop(name); };
  /** Sells one tea. */
  async sell(name, amount = "hunter2") {
    if (name && amount) { for (const x of amount) { x ?? 1; } }
    else if (amount) { return name ? 1 : 2; }
  }
  get size() { return 1; }
}

// Adds two.
const add = (a, b) => a + b;

export default function () {}
export const sub = function (a, b) { return a - b; };

function* teas() { yield 1; }

exports.mul = function (a, b) { return a * b; };
Shop.prototype.close = function () {};
module.exports = { add, teas };

describe('shop', () => {
  it('sells tea', async () => { function inner() {} });
  test.skip(`is closed`, () => {});
});

if (require.main === module) { add(1, 2); }
