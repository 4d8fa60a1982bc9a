/**
 * - `not-a-pdf`: no reader would open it
 * - `damaged`: what was asked for cannot be read
 * - `too-complex`: reading on would cost more than an honest file does
 * - `encrypted`: what was asked for lies behind a password
 * - `change-protected`: it can be read without a password, but its owner's password forbids to add anything
 */
export type PdfErrorCode =
  | 'not-a-pdf'
  | 'damaged'
  | 'too-complex'
  | 'encrypted'
  | 'change-protected'

/** The only error that reading any bytes as a PDF may end with. */
export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly code: PdfErrorCode

  constructor(code: PdfErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
