import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PDFiumModule } from '@hyzyla/pdfium'
import type { ByteSource } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import { createFileAccess, type FileAccess } from './pdfium-access.ts'
import { openDocument, type PdfiumDocument, type PdfiumExports } from './pdfium-document.ts'
import { pdfiumProgram } from './pdfium-program.ts'

/** Most memory that a document may make PDFium take; beyond it the page cannot be drawn. */
export const HEAP_LIMIT = 384 << 20
/** Memory of WebAssembly never shrinks: an instance that grew past this is thrown away. */
const HEAP_KEPT = 160 << 20

type Instance = { pdfium: PdfiumExports; access: FileAccess }

let current: Instance | undefined

/**
 * Opens the document while `use` runs. PDFium reads the parts of the file that it needs; the file is never in memory
 * as a whole. An instance that failed is not used again: after a trap its memory may be in any state.
 *
 * @throws {Problem} of `use`; `encrypted-pdf`, `damaged-pdf`; `pdf-too-complex` when it needs too much memory
 * @throws {Error} of the source, also if PDFium took it for a fault of the PDF
 */
export async function withDocument<T>(
  source: ByteSource,
  use: (document: PdfiumDocument) => T,
): Promise<T> {
  const instance = current ?? (await start())
  current = undefined
  const { pdfium, access } = instance
  const { pointer, fault, close } = access.open(source)
  try {
    const document = openDocument(pdfium, pointer)
    const outcome = outcomeOf(() => use(document))
    document.close()
    const met = fault()
    if (met) throw met
    close()
    if (pdfium.memory.buffer.byteLength <= HEAP_KEPT) current = instance
    return unwrapped(outcome)
  } catch (error) {
    throw fault() ?? refusalFor(error)
  }
}

type Outcome<T> = { value: T } | { refusal: Problem }

/** A refusal of our own leaves PDFium as it was. */
function outcomeOf<T>(use: () => T): Outcome<T> {
  try {
    return { value: use() }
  } catch (error) {
    if (error instanceof Problem) return { refusal: error }
    throw error
  }
}

function unwrapped<T>(outcome: Outcome<T>): T {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.value
}

function refusalFor(error: unknown): Problem {
  if (error instanceof Problem) return error
  const message = error instanceof Error ? error.message : String(error)
  const cause = { cause: error }
  if (error instanceof WebAssembly.RuntimeError || /memory|abort/i.test(message))
    return new Problem('pdf-too-complex', message, cause)
  if (/password|security/i.test(message)) return new Problem('encrypted-pdf', message, cause)
  return new Problem('damaged-pdf', message, cause)
}

async function start(): Promise<Instance> {
  const program = await pdfiumProgram()
  collectGarbage()
  let started: WebAssembly.Instance | undefined
  await PDFiumModule({
    instantiateWasm(imports, receive) {
      started = new WebAssembly.Instance(program.pdfium, limitHeap(imports))
      ;(receive as unknown as (instance: WebAssembly.Instance) => void)(started)
      return started.exports
    },
  })
  if (!started) throw new Error('PDFium did not start')
  const pdfium = started.exports as unknown as PdfiumExports
  pdfium.FPDF_InitLibrary()
  return { pdfium, access: createFileAccess(pdfium, program.passingOn) }
}

/** Refuses to grow the heap past the limit, as if the machine had no more memory. */
function limitHeap(imports: WebAssembly.Imports): WebAssembly.Imports {
  const grow = imports.env?.emscripten_resize_heap
  if (typeof grow !== 'function') throw new Error('PDFium grows its heap in an unknown way')
  const growWithinLimit = (bytes: number) => (bytes >>> 0 > HEAP_LIMIT ? 0 : grow(bytes))
  return { ...imports, env: { ...imports.env, emscripten_resize_heap: growWithinLimit } }
}

/** The engine does not see how large an abandoned heap is, and would let several of them pile up. */
function collectGarbage() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
