/* Verifies one file and ends, for `peak-memory.ts`. Arguments: the file and a trusted certificate. */
import { readFileSync } from 'node:fs'
import { openFile } from '#server/adapters/file-source.ts'
import { instantOf } from '#server/domain/time.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'

const [file, issuing, root] = process.argv.slice(2) as [string, string, string]
const certificate = readCertificate(new Uint8Array(readFileSync(root)))
const report = verifyFile(openFile(file), file, {
  anchors: [{ certificate, label: 'Medición', forTesting: true, revocation: 'when-available' }],
  candidates: [readCertificate(new Uint8Array(readFileSync(issuing)))],
  at: instantOf(Date.now()),
})
if (report.verdict !== 'VALID') throw new Error(`${report.verdict}: ${report.headline.code}`)
