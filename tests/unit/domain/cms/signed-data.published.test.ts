import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSignedData } from '#server/domain/cms/signed-data.ts'
import { verifySigner } from '#server/domain/cms/verify-signer.ts'

const constancia = path.resolve(
  '../shared/data/sat-test/nom151/constancia-advantage-2018.token.der',
)

test('a published constancia stands, but names another certificate', () => {
  const signedData = readSignedData(readFileSync(constancia))
  expect(signedData.contentType).toBe('1.2.840.113549.1.9.16.1.4')
  const content = signedData.content ?? new Uint8Array(0)
  const contentDigest = (digest: string) => createHash(digest).update(content).digest()
  // openssl says the same with -cades: the provider hashed something else than its certificate.
  expect(verifySigner(signedData, signedData.signers[0]!, { contentDigest })).toMatchObject({
    isIntact: true,
    isValid: true,
    problems: ['signing-certificate-differs'],
    certificate: { name: 'Advantage Security PSC NOM151' },
  })
})
