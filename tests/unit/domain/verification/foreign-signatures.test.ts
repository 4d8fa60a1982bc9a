import { createHash, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { octetString } from '#server/domain/asn1/der-writer.ts'
import type { Warning } from '#server/domain/verification/codes/warning.ts'
import { judgeConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import { certificateFromFile } from '#server/domain/x509/certificate.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { judge } from '#tests/support/judges.ts'
import { bodiesWithPages, pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import {
  type HandSigned,
  handSigned,
  type Seal,
  sealOf,
  testPolicy,
  verdictAndReason,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'
import { rewritten } from '#tests/unit/domain/pdf/variants.ts'

/* Signatures and timestamps by openssl, right and wrong, in a handwritten file. */

const openssl = judge('openssl')
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-foreign-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => path.join(folder, name)

function mustRun(...args: string[]): void {
  const { status, errors } = openssl(...args)
  if (status !== 0) throw new Error(errors)
}

beforeAll(async () => {
  for (const name of ['ana', 'luis']) {
    const { cer, keyPair } = await testEfirma()
    writeFileSync(at(`${name}.pem`), new X509Certificate(cer).toString())
    writeFileSync(at(`${name}.key`), keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  }
  writeFileSync(at('ts.cnf'), STAMP_CONFIGURATION)
  writeFileSync(at('serial'), '01\n')
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('tsa.key')]
  mustRun(...request, '-out', at('tsa.pem'), '-days', '3650', '-config', at('ts.cnf'))
})

const STAMP_CONFIGURATION = `
[req]
distinguished_name=name
x509_extensions=stamping
prompt=no
[name]
CN=Autoridad de sellado de prueba
[stamping]
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,timeStamping
[tsa]
default_tsa=one
[one]
serial=${path.join(folder, 'serial')}
crypto_device=builtin
default_policy=1.2.3.4.1
digests=sha1,sha256
signer_digest=sha256
ess_cert_id_alg=sha256
`

/** `openssl cms -sign` over the bytes, with these options. */
const cmsWith =
  (...options: string[]): Seal =>
  (signed) => {
    writeFileSync(at('signed'), signed)
    const one = ['-signer', at('ana.pem'), '-inkey', at('ana.key')]
    const files = ['-in', at('signed'), '-out', at('cms.der'), '-outform', 'DER']
    mustRun('cms', '-sign', '-binary', ...files, ...one, ...options)
    return new Uint8Array(readFileSync(at('cms.der')))
  }

/** An RFC 3161 token over the bytes. */
const stampOver =
  (digest: 'sha1' | 'sha256' = 'sha256'): Seal =>
  (signed) => {
    writeFileSync(at('signed'), signed)
    mustRun('ts', '-query', '-data', at('signed'), `-${digest}`, '-cert', '-out', at('query'))
    const signer = ['-signer', at('tsa.pem'), '-inkey', at('tsa.key'), '-config', at('ts.cnf')]
    mustRun('ts', '-reply', '-queryfile', at('query'), ...signer, '-token_out', '-out', at('token'))
    return new Uint8Array(readFileSync(at('token')))
  }

describe('a CMS of openssl', () => {
  test.each<[string, string, string[], string, string | null, Warning['code']?]>([
    ['CAdES', 'ETSI.CAdES.detached', ['-cades'], 'VALID', null],
    [
      'CAdES, RSASSA-PSS',
      'ETSI.CAdES.detached',
      ['-cades', '-keyopt', 'rsa_padding_mode:pss'],
      'VALID',
      null,
    ],
    ['CAdES, SHA-512', 'ETSI.CAdES.detached', ['-cades', '-md', 'sha512'], 'VALID', null],
    ['PKCS #7', 'adbe.pkcs7.detached', [], 'VALID', null],
    ['PKCS #7 without signed attributes', 'adbe.pkcs7.detached', ['-noattr'], 'VALID', null],
    [
      'PKCS #7 where CAdES was said',
      'ETSI.CAdES.detached',
      [],
      'INDETERMINATE',
      'SIG_CONSTRAINTS_FAILURE',
    ],
    [
      'SHA-1',
      'adbe.pkcs7.detached',
      ['-md', 'sha1'],
      'INDETERMINATE',
      'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    ],
    [
      'its own content',
      'ETSI.CAdES.detached',
      ['-cades', '-nodetach'],
      'INVALID',
      'FORMAT_FAILURE',
      'content-embedded',
    ],
    [
      'another content type',
      'ETSI.CAdES.detached',
      ['-cades', '-econtent_type', '1.2.3.4'],
      'INVALID',
      'FORMAT_FAILURE',
      'content-type-wrong',
    ],
    [
      'no certificate',
      'ETSI.CAdES.detached',
      ['-cades', '-nocerts'],
      'INDETERMINATE',
      'NO_SIGNING_CERTIFICATE_FOUND',
    ],
    ['an unknown sub-filter', 'Own.Format', ['-cades'], 'INDETERMINATE', 'SIG_CONSTRAINTS_FAILURE'],
  ])('%s', async (_, subFilter, options, verdict, reason, code) => {
    const report = await verified(await handSigned({ subFilter, seal: cmsWith(...options) }))
    expect([report.verdict, report.first.subIndication]).toEqual([verdict, reason])
    if (code) expect(report.first.warnings[0]?.code).toBe(code)
  })

  test('two signers', async () => {
    const seal = cmsWith('-cades', '-signer', at('luis.pem'), '-inkey', at('luis.key'))
    const report = await verified(await handSigned({ seal }))
    expect([report.verdict, report.first.subIndication]).toEqual(['INVALID', 'FORMAT_FAILURE'])
    expect(report.first.warnings[0]?.code).toBe('signer-count-wrong')
  })

  test('the digest of a document inside: adbe.pkcs7.sha1', async () => {
    const seal: Seal = (signed) => cmsWith('-nodetach')(createHash('sha1').update(signed).digest())
    const report = await verified(await handSigned({ subFilter: 'adbe.pkcs7.sha1', seal }))
    expect(report).toMatchObject({
      verdict: 'INDETERMINATE',
      first: { intact: true, valid: true, subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' },
    })
  })

  test('over another document', async () => {
    const seal: Seal = () => cmsWith('-cades')(Buffer.from('otra escritura'))
    const report = await verified(await handSigned({ seal }))
    expect(report).toMatchObject({
      verdict: 'INVALID',
      first: { intact: false, valid: true, subIndication: 'HASH_FAILURE' },
    })
  })

  test('unknown format: later changes are still reported', async () => {
    const byteRange = ([a, b, c, d]: readonly number[]) => `[${a} ${b} ${c} ${d! - 30}]`
    const file = await handSigned({ subFilter: 'Own.Format', seal: cmsWith('-cades'), byteRange })
    expect((await verified(file)).verdict).toBe('INVALID')
  })
})

describe('a signature without a CMS: adbe.x509.rsa_sha1', () => {
  const bare = async (digest: string, changes: Partial<HandSigned> = {}) => {
    const { cer, keyPair } = await testEfirma()
    const { issuing } = await testAuthority()
    const certificates = [cer, issuing.der].map((der) => `<${Buffer.from(der).toString('hex')}>`)
    return handSigned({
      subFilter: 'adbe.x509.rsa_sha1',
      entries: `/Cert[${certificates.join('')}]`,
      seal: (signed) => octetString(sign(digest, signed, keyPair.privateKey)),
      ...changes,
    })
  }

  test('is right and weak', async () => {
    expect(await verified(await bare('sha1'))).toMatchObject({
      verdict: 'INDETERMINATE',
      first: {
        intact: true,
        valid: true,
        trusted: true,
        level: 'NOT_PADES',
        subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
        algorithms: { digest: 'sha1', signature: 'RSASSA-PKCS1-v1_5 2048' },
      },
    })
  })

  // ISO 32000-2:2020, table 260: despite its name.
  test('may be made with a better digest', async () => {
    expect(await verified(await bare('sha256'))).toMatchObject({
      verdict: 'VALID',
      first: { intact: true, valid: true, algorithms: { digest: 'sha256' } },
    })
  })

  test('over other bytes', async () => {
    const file = textOf(await bare('sha1')).replace('Page 1', 'Page 7')
    const report = await verified(Buffer.from(file, 'latin1'))
    expect(report).toMatchObject({ verdict: 'INVALID', first: { valid: false } })
  })

  test.each([
    ['no certificate', { entries: '' }],
    ['a certificate that is none', { entries: '/Cert(no)' }],
    ['no OCTET STRING', { seal: () => Uint8Array.of(2, 1, 7) }],
  ])('with %s', async (_, changes) => {
    const report = await verified(await bare('sha1', changes))
    expect(verdictAndReason(report)).toEqual(['INVALID', 'FORMAT_FAILURE'])
  })
})

describe('a document timestamp', () => {
  const policy = async () => ({
    ...(await testPolicy()),
    anchors: [
      ...(await testPolicy()).anchors,
      {
        certificate: certificateFromFile(new Uint8Array(readFileSync(at('tsa.pem')))),
        label: 'Sellado',
        forTesting: true,
        revocation: 'when-available' as const,
      },
    ],
    // Its clock is the real one.
    at: Math.max(TEST_NOW, Date.now()) as typeof TEST_NOW,
  })

  test('over a digest that a constancia may not have is refused as one', async () => {
    const token = await stampOver('sha1')(Buffer.from('escritura'))
    const { headline } = judgeConstancia(token, new Uint8Array(32), await policy())
    expect(headline.code).toBe('constancia-digest-unsupported')
  })

  test('alone signs nothing, and is listed', async () => {
    const file = await handSigned({ subFilter: 'ETSI.RFC3161', seal: stampOver() })
    const report = await verified(file, await policy())
    expect(report.verdict).toBe('NO_SIGNATURE')
    expect(report.first).toMatchObject({
      kind: 'document-timestamp',
      intact: true,
      valid: true,
      trusted: true,
      timestamps: [{ kind: 'document', valid: true, authority: 'Autoridad de sellado de prueba' }],
    })
  })

  test('over other bytes is named as not valid', async () => {
    const seal: Seal = () => stampOver()(Buffer.from('otra cosa'))
    const report = await verified(await handSigned({ subFilter: 'ETSI.RFC3161', seal }))
    expect(report.first).toMatchObject({
      intact: false,
      subIndication: 'HASH_FAILURE',
      timestamps: [{ valid: false }],
    })
  })

  test('with a digest with known collisions is weak', async () => {
    const file = await handSigned({ subFilter: 'ETSI.RFC3161', seal: stampOver('sha1') })
    const report = await verified(file, await policy())
    expect(report.first.subIndication).toBe('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
  })

  test('a CMS that is no timestamp', async () => {
    const file = await handSigned({ subFilter: 'ETSI.RFC3161', seal: cmsWith('-cades') })
    expect((await verified(file)).first).toMatchObject({
      subIndication: 'FORMAT_FAILURE',
      timestamps: [{ valid: false, time: null }],
    })
  })
})

test('encrypted file with hidden structure: the result is undetermined', async () => {
  const plain = pdfWithTable(bodiesWithPages(1))
  const lock = ['--encrypt', 'a', 'b', '256', '--']
  const open = await verified(rewritten(plain, ...lock))
  expect(open).toMatchObject({ verdict: 'NO_SIGNATURE', encrypted: true })
  const hidden = await verified(rewritten(plain, '--object-streams=generate', ...lock))
  expect(hidden).toMatchObject({ verdict: 'INDETERMINATE', encrypted: true })
  expect(hidden.headline.code).toBe('encrypted-maybe-signed')
  expect(hidden.warnings[0]?.code).toBe('signatures-encrypted')
})

test('hundreds of signatures that each want the whole file read end soon', async () => {
  const cms = Buffer.from(await sealOf(await testEfirma())(Buffer.from('nada'))).toString('hex')
  const one = `<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 1000000]/Contents <${cms}>>>`
  const bodies = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [100 + index, one]))
  const file = await handSigned({ seal: sealOf(await testEfirma()), bodies })
  const time = await cpuTimeOf(async () => {
    const report = await verified(file)
    expect(report.verdict).toBe('INVALID')
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        code: 'signatures-left-out',
        parameters: { total: 301, listed: 200 },
      }),
    )
    expect(report.signatures).toHaveLength(200)
    expect(report.signatures.at(-1)).toMatchObject({ number: 301, intact: false, valid: false })
  })
  expect(time).toBeLessThan(5000)
})

test('fields are told apart by their whole names', async () => {
  const long = 'topmostSubform[0].'.repeat(10)
  const seal = sealOf(await testEfirma())
  const file = await handSigned({ seal, field: `/T(${long}Firma)/V 21 0 R` })
  expect((await verified(file)).first.field).toBe(`${long}Firma`)
})

test('a signature that another file made', async () => {
  const [one, two] = [
    await handSigned({ seal: sealOf(await testEfirma()) }),
    await handSigned({ seal: sealOf(await testEfirma()), entries: '/Reason(otra)' }),
  ].map(textOf)
  const cms = /\/Contents (<[0-9a-f]{1000,}>)/.exec(one!)![1]!
  const transplanted = two!.replace(/\/Contents <[0-9a-f]{1000,}>/, `/Contents ${cms}`)
  const report = await verified(Buffer.from(transplanted, 'latin1'))
  expect([report.verdict, report.first.subIndication]).toEqual(['INVALID', 'HASH_FAILURE'])
})
