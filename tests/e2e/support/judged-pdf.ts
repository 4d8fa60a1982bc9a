import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judge } from '#tests/support/judges.ts'

export type Judgement = {
  /** The verdict of `pdfsig` on each signature, in the order of the file. */
  signatures: { isValid: boolean; coversAll: boolean }[]
  /** Whether `openssl cms -verify` accepts each signature over its byte range, up to the root of the demo. */
  cms: boolean[]
  /** Whether `qpdf --check` finds nothing wrong. */
  isSound: boolean
}

/** A signed file before programs that share no code with us. */
export function judgePdf(file: Uint8Array, root: string): Judgement {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-judged-'))
  try {
    const pdf = path.join(folder, 'signed.pdf')
    writeFileSync(pdf, file)
    const { output } = judge('pdfsig')('-nocert', pdf)
    const signatures = output.split(/^Signature #\d+:/m).slice(1)
    return {
      signatures: signatures.map((said) => ({
        isValid: said.includes('Signature Validation: Signature is Valid.'),
        coversAll: said.includes('- Total document signed'),
      })),
      cms: signedParts(file).map((part) => isTakenByOpenssl(part, folder, root)),
      isSound: judge('qpdf')('--check', pdf).status === 0,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type SignedPart = { covered: Uint8Array; cms: Uint8Array }

/** Each byte range with the CMS in its gap, found in the plain text of the file. */
function signedParts(file: Uint8Array): SignedPart[] {
  const text = Buffer.from(file).toString('latin1')
  return [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].map(
    (match) => {
      const [a = 0, b = 0, c = 0, d = 0] = match.slice(1).map(Number)
      const covered = Buffer.concat([file.subarray(a, a + b), file.subarray(c, c + d)])
      const hex = text.slice(a + b, c).replace(/[<>\s]/g, '')
      return { covered, cms: Buffer.from(hex, 'hex') }
    },
  )
}

function isTakenByOpenssl({ covered, cms }: SignedPart, folder: string, root: string): boolean {
  const [content, signature, anchor] = ['content', 'cms', 'root.pem'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string]
  writeFileSync(content, covered)
  writeFileSync(signature, cms)
  judge('openssl')('x509', '-inform', 'DER', '-in', root, '-out', anchor)
  const { status } = judge('openssl')(
    ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', signature, '-content', content],
    ...['-CAfile', anchor, '-purpose', 'any', '-out', path.join(folder, 'out')],
  )
  return status === 0
}
