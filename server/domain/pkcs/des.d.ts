declare module 'des.js' {
  type Options = { type: 'encrypt' | 'decrypt'; key: Uint8Array; iv: Uint8Array; padding?: false }
  type Cipher = {
    update(data: Uint8Array): number[]
    final(): number[]
  }
  type Mode = { create(options: Options): Cipher }
  const des: { EDE: Mode; CBC: { instantiate(base: Mode): Mode } }
  export default des
}
