import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { workerData } from 'piscina'

/** The compiled code of WebAssembly that reading a PDF with PDFium takes. */
export type PdfiumProgram = {
  pdfium: WebAssembly.Module
  /** `(module (import "a" "f" (func (param i32 i32 i32 i32) (result i32))) (export "f" (func 0)))` */
  passingOn: WebAssembly.Module
}

const PASSING_ON = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x09, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x07, 0x01, 0x01, 0x61, 0x01, 0x66, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
)

/** Takes some 20 ms and 6 MB. */
export async function compileProgram(): Promise<PdfiumProgram> {
  const file = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))
  const pdfium = WebAssembly.compile(readFileSync(file))
  return { pdfium: await pdfium, passingOn: await WebAssembly.compile(PASSING_ON) }
}

/** What the pool of threads gives each of its threads. */
export type ThreadData = { program: PdfiumProgram }

let own: PdfiumProgram | undefined

/** The program that the pool has compiled; outside of a pool, one of this thread. */
export async function pdfiumProgram(): Promise<PdfiumProgram> {
  const given: ThreadData | null | undefined = workerData
  own ??= given?.program ?? (await compileProgram())
  return own
}
