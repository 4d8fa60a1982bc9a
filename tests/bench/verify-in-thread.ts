/* Verifies one file in a thread, as the server does, and ends, for `peak-memory.ts`. Argument: the file. */
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { instantOf, seconds } from '#server/domain/time.ts'
import { plainFile } from '#tests/support/stored-files.ts'

const work = createPdfWork({ threads: 1, patience: seconds(60) })
const policy = { anchors: [], candidates: [], at: instantOf(Date.now()) }
const report = await work.verify(plainFile(process.argv[2]!), 'form.pdf', policy)
const level = report.signatures[0]?.modification
if (level !== 'FORM_FILLING') throw new Error(`a filled form is ${level}`)
await work.close()
