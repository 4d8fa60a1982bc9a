import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'

const samples = path.resolve('../shared/data/sat-test')

describe('the published samples of the SAT', () => {
  const files = (readdirSync(samples, { recursive: true }) as string[]).filter((f) =>
    /\.(cer|pem)$/.test(f),
  )
  const kindBy = (file: string) => {
    if (!file.startsWith('sat-uat')) return /^(unknown)$/
    return file.includes('_csd') ? /^csd$/ : /^efirma-/
  }

  test.each(files)('%s is of its kind', (file) => {
    const certificate = certificateFromFile(readFileSync(path.join(samples, file)))
    expect(satProfileOf(certificate).kind).toMatch(kindBy(file))
    const judge = new X509Certificate(readFileSync(path.join(samples, file)))
    expect(Buffer.from(certificate.der)).toEqual(judge.raw)
    expect(certificate.notAfter).toBe(Date.parse(judge.validTo))
  })

  test('names with Ñ and &, and the representative of a company', () => {
    const read = (file: string) => {
      const certificate = certificateFromFile(readFileSync(path.join(samples, file)))
      return { ...satProfileOf(certificate), name: certificate.name }
    }
    expect(read('sat-uat-2019-2023/cañf770131pa3.cer')).toMatchObject({
      rfc: 'CAÑF770131PA3',
      name: 'FERNANDO CASTILLO ÑABARRO',
      certificateNumber: '30001000000400002432',
    })
    expect(read('sat-uat-2019-2023/h&e951128469.cer')).toMatchObject({
      kind: 'efirma-legal',
      rfc: 'H&E951128469',
      representative: { rfc: 'XOJI740919U48', curp: 'XOJI740919MQTDMN02' },
    })
    expect(read('ca-ficticia/emisor2021.cer').kind).toBe('unknown')
  })
})
