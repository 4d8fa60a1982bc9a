import type { KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { judge } from '#tests/support/judges.ts'

/** What OpenSSL makes of a key under a password. @param args as its command line takes them, from the command on */
export function wrappedByOpenssl(
  privateKey: KeyObject,
  password: string,
  args: readonly string[],
): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-key-'))
  try {
    const [plain, out] = [path.join(folder, 'plain.pem'), path.join(folder, 'out.key')]
    writeFileSync(plain, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const { status, errors } = judge('openssl')(
      ...[...args, '-in', plain, '-out', out, '-passout', `pass:${password}`],
    )
    if (status !== 0) throw new Error(errors)
    return readFileSync(out)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
