/*! porter-mini 2.0.1, ISC, (c) 2016 A. Lindt */
export const stem = (word: string): string => word.replace(/(ing|ed|s)$/, '');
