import type { ByteSource } from '#server/domain/bytes.ts'
import type { PdfiumExports } from './pdfium-document.ts'

export type FileAccess = {
  /** Makes the source what PDFium reads; the one before it must be closed. */
  open(source: ByteSource): OpenAccess
}

export type OpenAccess = {
  /** Address of the FPDF_FILEACCESS, for `FPDF_LoadCustomDocument`. */
  readonly pointer: number
  /** Why the source could not be read; undefined if it always could. */
  fault(): unknown
  close(): void
}

/** FPDF_FILEACCESS: the length, the function that reads, and its first argument; four bytes each. */
const ACCESS_BYTES = 12
/** The table of functions cannot grow. Its first place is empty: it is the null of C. */
const SLOT = 0
/** A parser reads in small steps near each other, of which the source keeps the chunks. */
const SMALL_STEP = 16 << 10

/**
 * Lets PDFium read a file by ranges. It calls a function of the table of WebAssembly, which takes functions of
 * WebAssembly only: ours is imported into a module that hands it on.
 *
 * @param passingOn that module
 */
export function createFileAccess(pdfium: PdfiumExports, passingOn: WebAssembly.Module): FileAccess {
  let reading: { source: ByteSource; key: number } | undefined
  let fault: unknown
  let lastKey = 0

  /** `m_GetBlock`: 1 when the bytes are at `target`. A stray call of null does not know the key. */
  function getBlock(key: number, position: number, target: number, count: number): 0 | 1 {
    if (!reading || key !== reading.key) return 0
    const [start, length] = [position >>> 0, count >>> 0]
    if (start + length > reading.source.length) return 0
    try {
      fill(reading.source, new Uint8Array(pdfium.memory.buffer, target >>> 0, length), start)
      return 1
    } catch (error) {
      fault ??= error
      return 0
    }
  }
  pdfium.__indirect_function_table.set(SLOT, asWasm(passingOn, getBlock))

  return {
    open(source) {
      lastKey += 1
      reading = { source, key: lastKey }
      fault = undefined
      const pointer = pdfium.malloc(ACCESS_BYTES)
      const fields = new DataView(pdfium.memory.buffer, pointer, ACCESS_BYTES)
      fields.setUint32(0, source.length, true)
      fields.setUint32(4, SLOT, true)
      fields.setUint32(8, lastKey, true)
      return {
        pointer,
        fault: () => fault,
        close() {
          reading = undefined
          pdfium.free(pointer)
        },
      }
    },
  }
}

function fill(source: ByteSource, target: Uint8Array, start: number): void {
  if (source.readInto && target.length > SMALL_STEP) source.readInto(target, start)
  else target.set(source.read(start, start + target.length))
}

function asWasm(
  passingOn: WebAssembly.Module,
  f: (...numbers: [number, number, number, number]) => number,
): unknown {
  return new WebAssembly.Instance(passingOn, { a: { f } }).exports.f
}
