/** Bits of /Ff. @see ISO 32000-2:2020, tables 227, 229, 231 and 233 */
export const FLAGS = {
  readOnly: 1,
  multiline: 1 << 12,
  password: 1 << 13,
  pushButton: 1 << 16,
  combo: 1 << 17,
  comb: 1 << 24,
} as const
