import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { aPdf } from '#tests/e2e/support/deeds.ts'
import {
  aFile,
  expect,
  type FileInput,
  fillSigning,
  inMain,
  test,
} from '#tests/e2e/support/fixtures.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'

const CERTIFICATE = 'Certificado (.cer)'
const KEY = 'Clave privada (.key)'
const PASSWORD = 'Contraseña de la clave privada'

type Wrong = { cer?: FileInput; key?: FileInput; keyPassword?: string }
type Case = {
  name: string
  /** One wrong input, made from the notary's files. */
  wrong: (notary: DemoUser, other: DemoUser, demo: Demo) => Wrong
  label: string
  sentence: string | RegExp
}

const wrongPassword = (name: string, change: (password: string) => string): Case => ({
  name,
  wrong: ({ keyPassword }) => ({ keyPassword: change(keyPassword) }),
  label: PASSWORD,
  sentence: 'La contraseña no corresponde a esta clave privada. Verifíquela e intente de nuevo.',
})

const CASES: readonly Case[] = [
  {
    name: 'her certificate for invoices',
    wrong: (_notary, _other, { refused }) => refused.find(({ kind }) => kind === 'csd')!,
    label: CERTIFICATE,
    sentence:
      'Es un certificado de sello digital (CSD): sirve para facturar, no para firmar documentos. Elija el certificado de su e.firma.',
  },
  {
    name: 'her expired certificate',
    wrong: (_notary, _other, { refused }) => refused.find(({ kind }) => kind === 'expired')!,
    label: CERTIFICATE,
    sentence:
      /^El certificado venció el \d+ de [a-z]+ de \d{4} y ya no puede usarse para firmar\. Renueve su e\.firma ante el SAT o elija un certificado vigente\.$/,
  },
  {
    name: 'her revoked certificate',
    wrong: (_notary, _other, { refused }) => refused.find(({ kind }) => kind === 'revoked')!,
    label: CERTIFICATE,
    sentence:
      /^Su certificado fue revocado el \d+ [a-z]+ \d{4}, por lo que no puede firmar con él\. Use el que lo reemplaza\.$/,
  },
  {
    name: 'an empty certificate',
    wrong: () => ({ cer: aFile('vacío.cer', '') }),
    label: CERTIFICATE,
    sentence: 'El archivo está vacío. Elija el archivo .cer de su e.firma.',
  },
  {
    name: 'a PDF as the certificate',
    wrong: () => ({ cer: aFile('escritura.cer', aPdf()) }),
    label: CERTIFICATE,
    sentence: 'Es un documento PDF, no un certificado. Elija el archivo .cer de su e.firma.',
  },
  {
    name: 'the key as the certificate',
    wrong: ({ key }) => ({ cer: key }),
    label: CERTIFICATE,
    sentence:
      'Es una clave privada, no un certificado. Elija aquí el archivo .cer de su e.firma y no comparta el archivo .key con nadie.',
  },
  {
    name: 'any other file as the certificate',
    wrong: () => ({ cer: aFile('nota.cer', 'Estimado licenciado') }),
    label: CERTIFICATE,
    sentence: 'El archivo no es un certificado o está dañado. Elija el archivo .cer de su e.firma.',
  },
  {
    name: 'half a certificate',
    wrong: ({ cer }) => ({ cer: aFile('medio.cer', readFileSync(cer).subarray(0, 700)) }),
    label: CERTIFICATE,
    sentence: 'El archivo no es un certificado o está dañado. Elija el archivo .cer de su e.firma.',
  },
  {
    name: "another person's certificate",
    wrong: (_, other) => ({ cer: other.cer }),
    label: CERTIFICATE,
    sentence:
      /^El certificado pertenece a otra persona \(RFC PEGL650820KS4\)\. Elija el certificado de la e\.firma de quien debe firmar\.$/,
  },
  {
    name: 'an empty key',
    wrong: () => ({ key: aFile('vacía.key', '') }),
    label: KEY,
    sentence: 'El archivo está vacío. Elija el archivo .key de su e.firma.',
  },
  {
    name: 'the certificate as the key',
    wrong: ({ cer }) => ({ key: cer }),
    label: KEY,
    sentence: 'Es un certificado, no una clave privada. Elija aquí el archivo .key de su e.firma.',
  },
  {
    name: 'a PDF as the key',
    wrong: () => ({ key: aFile('escritura.key', aPdf()) }),
    label: KEY,
    sentence: 'Es un documento PDF, no una clave privada. Elija el archivo .key de su e.firma.',
  },
  {
    name: 'a key without protection',
    wrong: (notary) => ({ key: aFile('abierta.key', unprotected(notary)) }),
    label: KEY,
    sentence:
      'La clave privada no está protegida con contraseña. Elija el archivo .key original de su e.firma y elimine la copia sin protección.',
  },
  {
    name: 'a bomb of nested lengths as the key',
    wrong: () => ({ key: aFile('bomba.key', Buffer.alloc(60_000, '30803080', 'hex')) }),
    label: KEY,
    sentence:
      'El archivo no es una clave privada o está dañado. Elija el archivo .key de su e.firma.',
  },
  {
    name: 'the key of another certificate',
    wrong: (_, { key, keyPassword }) => ({ key, keyPassword }),
    label: KEY,
    sentence:
      'La clave privada no corresponde al certificado. Elija los archivos .cer y .key de la misma e.firma.',
  },
  {
    name: 'no password',
    wrong: () => ({ keyPassword: '' }),
    label: PASSWORD,
    sentence: 'Escriba la contraseña de la clave privada.',
  },
  wrongPassword('a wrong password', () => 'otra-contraseña'),
  wrongPassword('the password with a blank behind it', (password) => `${password} `),
  wrongPassword('the password in capitals', (password) => password.toUpperCase()),
  wrongPassword('the password without its ñ', (password) => password.replace('ñ', 'n')),
]

for (const [what, cases] of Object.entries(Object.groupBy(CASES, ({ label }) => label)))
  test(`${what}: each error shows at its field, and no input is lost`, async ({
    page,
    demo,
    hasScripts,
    person,
    signedInAs,
    uploadedDeed,
  }) => {
    const notary = await signedInAs('titular')
    const deed = await uploadedDeed()
    await page.goto(`/dashboard/documents/${deed.id}/sign`)
    for (const { name, wrong, label, sentence } of cases ?? [])
      await test.step(name, async () => {
        const own = { ...notary, ...wrong(notary, person('suplente'), demo) }
        await fillSigning(page, own)
        await refused(page, hasScripts, label, sentence)
      })
    await staysADraft(page, deed.id)
  })

/** Says the sentence at the field; with scripts everything stays filled in, without it is a 422. */
async function refused(
  page: Parameters<typeof inMain>[0],
  hasScripts: boolean,
  label: string,
  sentence: string | RegExp,
) {
  const { field, button } = inMain(page)
  const before = await filledIn(page)
  const answer = hasScripts
    ? undefined
    : page.waitForResponse((response) => response.request().method() === 'POST')
  await button('Firmar documento').click()
  expect((await answer)?.status()).toBe(hasScripts ? undefined : 422)
  await expect(field(label)).toHaveAccessibleDescription(sentence)
  await expect(field(label)).toHaveAttribute('aria-invalid', 'true')
  if (hasScripts) expect(await filledIn(page)).toEqual(before)
}

async function filledIn(page: Parameters<typeof inMain>[0]) {
  const { field } = inMain(page)
  const nameIn = (label: string) =>
    field(label).evaluate((input: HTMLInputElement) => input.files?.[0]?.name)
  return {
    certificate: await nameIn(CERTIFICATE),
    key: await nameIn(KEY),
    password: await field(PASSWORD).inputValue(),
  }
}

async function staysADraft(page: Parameters<typeof inMain>[0], id: string) {
  const { text, link, main } = inMain(page)
  await page.goto(`/dashboard/documents/${id}`)
  await expect(text('Borrador')).toBeVisible()
  await expect(link('Firmar')).toBeVisible()
  await expect(main).toContainText('Nadie ha firmado este documento.')
}

function unprotected({ key, keyPassword }: DemoUser): Buffer {
  return createPrivateKey({
    key: readFileSync(key),
    format: 'der',
    type: 'pkcs8',
    passphrase: keyPassword,
  }).export({ format: 'der', type: 'pkcs8' })
}
