// Copyright 2024 Somebody
// Licensed under the MIT licence.

// A shop that sells tea.

import type { Price } from "./price";
import fs = require("fs");

/** What can be sold. */
export interface Ware<T> { name: string; price(): T; }
export type Teas = Ware<Price>[];
export enum State { Open, Closed }
declare module "tea" { export function steep(): void; }
namespace Inner { export class Cup {} }

@Injectable()
export abstract class Shop<T extends Ware<Price>> implements Base {
  private readonly teas: T[] = [];
  constructor(private name: string, @Inject("x") other?: number) {}
  /** Sells. */
  @Log("secret")
  public async sell(ware: T, ...rest: unknown[]): Promise<T | undefined> {
    return rest.length > 0 ? ware : undefined;
  }
  abstract close(): void;
  handle = (event: Event): void => {};
}

export const open = async <T,>(name: string): Promise<Shop<any>> => { throw 1; };
export { open as start };
export function over(a: string): void;
export function over(a: any): void {}
