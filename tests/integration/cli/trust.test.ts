import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { trust } from '#server/cli/trust.ts'
import { MOST_CERTIFICATES } from '#server/domain/cms/certificate-bundle.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { zipOf } from '#tests/support/zip.ts'

function anInstallation() {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-trust-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = (...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', path.join(folder, 'data'))
      return trust(args, folder, TEST_NOW)
    })
  const put = (name: string, bytes: Uint8Array) => writeFileSync(path.join(folder, name), bytes)
  return { run, put }
}

test('trust: imports a bundle, lists it, accepts and removes an unpinned authority', async () => {
  const { run, put } = anInstallation()
  const { certificate } = await aPrivateAuthority('Autoridad del Estado')
  put('todas.zip', zipOf([{ name: 'a/raiz.crt', bytes: certificate.der, method: 'deflated' }]))
  const imported = await run('import', 'todas.zip')
  expect(imported.status).toBe(1)
  expect(imported.output.join('\n')).toContain('sin aceptar: no cuenta')

  const fingerprint = sha256(certificate.der)
  expect(await run('accept', fingerprint)).toMatchObject({ status: 2 })
  const reason = ['--reason', 'Decisión del titular, acta 12']
  const shown = fingerprint.toUpperCase().replace(/..(?!$)/g, '$&:')
  expect(
    await run('accept', shown, ...reason, '--ocsp', 'http://ocsp.estado.example'),
  ).toMatchObject({
    status: 0,
  })
  const [listed = ''] = (await run('list')).output
  expect(listed).toContain('aceptada por decisión (“Decisión del titular, acta 12”)')
  expect(listed).toContain('exigida, en http://ocsp.estado.example')
  expect(await run('accept', fingerprint, ...reason, '--ocsp', 'file:///etc/passwd')).toMatchObject(
    {
      status: 2,
    },
  )
  expect(await run('remove', fingerprint, ...reason)).toMatchObject({ status: 0 })
  expect((await run('list')).output[0]).toContain('retirada: no cuenta')
  expect(await run('remove', fingerprint, ...reason)).toMatchObject({ status: 1 })
})

test('trust: refuses test authorities, certificates that are no authority and unreadable files', async () => {
  const { run, put } = anInstallation()
  const { root } = await testAuthority()
  put('demo.cer', root.der)
  put('ana.cer', (await testEfirma()).cer)
  put('nada.cer', Buffer.from('nada'))
  const { status, output, errors } = await run('import', 'demo.cer', 'ana.cer', 'nada.cer')
  expect(status).toBe(1)
  expect(output.join('\n')).toContain('rechazada: es solo para pruebas')
  expect(output.join('\n')).toContain('rechazada: no es de una autoridad')
  expect(errors).toEqual(['No se leyó ningún certificado en nada.cer.'])
  expect((await run('list')).output).toEqual([
    'No hay ninguna autoridad. Use rubrica trust import.',
  ])
  const accepted = await run('accept', sha256(root.der), '--reason', 'porque sí, de verdad')
  expect(accepted).toMatchObject({ status: 1 })
})

test('trust: of a file with too many certificates only a part is read, and it says so', async () => {
  const { root } = await testAuthority()
  const { run, put } = anInstallation()
  const pem = new X509Certificate(root.der).toString()
  put('muchas.pem', Buffer.from(pem.repeat(2 * MOST_CERTIFICATES + 1)))
  const { status, errors } = await run('import', 'muchas.pem')
  expect(status).toBe(1)
  expect(errors).toEqual([
    'muchas.pem tiene más de 200 certificados: se leyeron los primeros 200. Divídalo para importar los demás.',
  ])
})

test('says how it is used', async () => {
  const { run } = anInstallation()
  for (const args of [[], ['otra'], ['import'], ['import', 'no-existe.zip'], ['list', 'algo']])
    expect([args, (await run(...args)).status]).toEqual([args, 2])
})
