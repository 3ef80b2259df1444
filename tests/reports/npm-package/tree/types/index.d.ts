export interface SlugOptions {
  separator?: string;
  stopWords?: string | string[];
  maxLength?: number;
}
export function slug(title: string, options?: SlugOptions): string;
export function uniqueSlug(
  title: string,
  isTaken: (slug: string) => boolean | Promise<boolean>,
  options?: SlugOptions,
): Promise<string>;
