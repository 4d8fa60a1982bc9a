/** A file was truncated while it was read: what was read before is of no use. */
export class BecameShorter extends Error {
  override readonly name = 'BecameShorter'

  /** @param bytes so many it had when it was opened, or more than it has now */
  constructor(bytes: number) {
    super(`the file became shorter than ${bytes} bytes while it was read`)
  }
}
