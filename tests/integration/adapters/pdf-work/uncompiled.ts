import { pdfiumProgram } from '#server/adapters/pdf-work/pdfium-program.ts'

/** A task: starts what the pool has compiled, in a thread that cannot compile. */
export async function start(): Promise<unknown> {
  const compile = () => Promise.reject(new Error('this thread compiles'))
  Object.assign(WebAssembly, { compile })
  const { pdfium, passingOn } = await pdfiumProgram()
  const { exports } = new WebAssembly.Instance(passingOn, { a: { f: () => 7 } })
  const passedOn = exports.f as () => number
  return { exports: WebAssembly.Module.exports(pdfium).length > 100, passedOn: passedOn() }
}
