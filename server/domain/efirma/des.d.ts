declare module 'des.js/lib/des/ede.js' {
  type Options = { type: 'encrypt' | 'decrypt'; key: Uint8Array; iv: Uint8Array; padding?: false }
  export type Cipher = {
    update(data: Uint8Array): number[]
    final(): number[]
  }
  export type Mode = { create(options: Options): Cipher }
  const ede: Mode
  export default ede
}

declare module 'des.js/lib/des/cbc.js' {
  import type { Mode } from 'des.js/lib/des/ede.js'

  const cbc: { instantiate(base: Mode): Mode }
  export default cbc
}
