import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchesCertificate, openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'

const samples = path.resolve('../shared/data/sat-test')

describe('the published samples of the SAT', () => {
  const keys = (readdirSync(samples, { recursive: true }) as string[]).filter((f) =>
    f.endsWith('.key'),
  )

  test.each(keys)('%s opens and fits its certificate', async (file) => {
    const outcome = await openPrivateKey(readFileSync(path.join(samples, file)), '12345678a')
    if (outcome.kind !== 'opened') throw new Error(outcome.kind)
    const certificate = path.join(samples, file.replace(/key$/, 'cer'))
    if (existsSync(certificate))
      expect(
        matchesCertificate(outcome.opened, certificateFromFile(readFileSync(certificate))),
      ).toBe(true)
  })
})
