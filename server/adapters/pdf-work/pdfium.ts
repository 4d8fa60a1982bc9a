import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'

/** Most memory that a document may make PDFium take; beyond it the page cannot be drawn. */
const HEAP_LIMIT = 384 << 20
/** Memory of WebAssembly never shrinks: an instance that grew past this is thrown away. */
const HEAP_KEPT = 160 << 20

type Instance = { library: PDFiumLibrary; memory: WebAssembly.Memory }

let program: WebAssembly.Module | undefined
let current: Instance | undefined

/**
 * Opens the document while `use` runs. An instance that failed is not used again: after a trap its memory
 * may be in any state.
 *
 * @throws {Error} of PDFium, or of `use`
 */
export async function withDocument<T>(
  bytes: Uint8Array,
  use: (document: PDFiumDocument) => Promise<T>,
): Promise<T> {
  const instance = current ?? (await start())
  current = undefined
  const document = await instance.library.loadDocument(bytes)
  const result = await use(document)
  document.destroy()
  if (instance.memory.buffer.byteLength <= HEAP_KEPT) current = instance
  return result
}

async function start(): Promise<Instance> {
  const wasm = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))
  program ??= await WebAssembly.compile(readFileSync(wasm))
  const module = program
  collectGarbage()
  let memory: WebAssembly.Memory | undefined
  const library = await PDFiumLibrary.init({
    instantiateWasm(imports, receive) {
      const limited = limitHeap(imports)
      const instance = new WebAssembly.Instance(module, limited)
      memory = instance.exports.memory as WebAssembly.Memory
      ;(receive as unknown as (instance: WebAssembly.Instance) => void)(instance)
      return instance.exports
    },
  })
  if (!memory) throw new Error('PDFium started without memory')
  return { library, memory }
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
