import { instantAt } from '#server/domain/asn1/der-time.ts'
import {
  type EfirmaFiles,
  type FileNote,
  noteOnCertificate,
  noteOnKey,
  noteOnPkcs12,
  type SigningField,
} from './signing-flow.ts'

/** Certificates and keys are smaller; a scanned document chosen by mistake is not read. */
const FILE_LIMIT = 64 * 1024

const MISSING: Record<Exclude<SigningField, 'pkcs12'>, string> = {
  certificate: 'Elija el archivo .cer de su e.firma.',
  key: 'Elija el archivo .key de su e.firma.',
  password: 'Escriba la contraseña de la clave privada.',
}

/** The required signer and the server's clock. */
export type FormFacts = Pick<EfirmaFiles, 'rfc' | 'now' | 'zone'>

/** Returns the form of the template in `element`; the caller inserts it into the page. */
export function formIn(element: HTMLElement): HTMLFormElement {
  const content = part<HTMLTemplateElement>(element, 'form').content.cloneNode(true)
  const form = (content as DocumentFragment).querySelector('form')
  if (!form) throw new Error('no form to sign with')
  return form
}

/** Returns the facts of the page; the clock advances with the page. */
export function factsOf({ dataset }: HTMLElement): () => FormFacts {
  const { rfc = '', zone = '', now = '' } = dataset
  const begun = performance.now()
  return () => ({ rfc, zone, now: instantAt(Number(now) + performance.now() - begun) })
}

const FIELDS = ['certificate', 'key', 'password', 'pkcs12'] as const

/** Binds the two files, or the one that replaces them, the password, and the note under each. */
export function efirmaForm(form: HTMLFormElement, facts: () => FormFacts) {
  const certificate = part<HTMLInputElement>(form, 'certificate')
  const key = part<HTMLInputElement>(form, 'key')
  const password = part<HTMLInputElement>(form, 'password')
  const pkcs12 = part<HTMLInputElement>(form, 'pkcs12')
  const button = part<HTMLButtonElement>(form, 'submit')

  certificate.addEventListener('change', () =>
    noteOnChosen(form, 'certificate', certificate, (file) => noteOnCertificate(file, facts())),
  )
  key.addEventListener('change', () => noteOnChosen(form, 'key', key, noteOnKey))
  pkcs12.addEventListener('change', () => {
    for (const field of ['certificate', 'key'] as const)
      if (!part<HTMLInputElement>(form, field).files?.[0]) showNote(form, field, undefined)
    return noteOnChosen(form, 'pkcs12', pkcs12, noteOnPkcs12)
  })
  password.addEventListener('input', () => showNote(form, 'password', undefined))

  return {
    allow(isAllowed: boolean) {
      button.disabled = !isAllowed
      // The button's style sheet uses this attribute.
      button.toggleAttribute('data-disabled', !isAllowed)
    },

    /** Shows the missing fields and focuses the first. */
    isIncomplete(): boolean {
      const missing: (keyof typeof MISSING)[] = []
      if (!pkcs12.files?.[0]) {
        if (!certificate.files?.[0]) missing.push('certificate')
        if (!key.files?.[0]) missing.push('key')
      }
      if (password.value === '') missing.push('password')
      for (const field of missing)
        showNote(form, field, { isGood: false, sentence: MISSING[field] })
      if (missing[0]) part(form, missing[0]).focus()
      return missing.length > 0
    },

    async read(): Promise<EfirmaFiles> {
      return {
        certificate: await readFile(certificate),
        key: await readFile(key),
        pkcs12: await readFile(pkcs12),
        password: password.value,
        ...facts(),
      }
    },

    /** With a PKCS#12 file, notes about the certificate go under that file. */
    refuse(refused: SigningField, sentence: string) {
      const field = refused === 'certificate' && pkcs12.files?.[0] ? 'pkcs12' : refused
      showNote(form, field, { isGood: false, sentence })
      part(form, field).closest('details')?.setAttribute('open', '')
      part(form, field).focus()
    },

    /** Clears all fields. */
    forget() {
      form.reset()
      for (const field of FIELDS) showNote(form, field, undefined)
    },
  }
}

async function noteOnChosen(
  form: HTMLElement,
  field: SigningField,
  input: HTMLInputElement,
  diagnose: (file: Uint8Array) => FileNote,
) {
  if (!input.files?.[0]) return showNote(form, field, undefined)
  const file = await readFile(input)
  showNote(form, field, diagnose(file))
  file.fill(0)
}

async function readFile(input: HTMLInputElement): Promise<Uint8Array> {
  const file = input.files?.[0]
  if (!file) return new Uint8Array()
  return new Uint8Array(await file.slice(0, FILE_LIMIT).arrayBuffer())
}

function showNote(form: HTMLElement, field: SigningField, note: FileNote | undefined) {
  const place = part(form, `${field}-note`)
  place.hidden = !note
  place.dataset.tone = note?.isGood ? 'good' : 'bad'
  part(place, 'sentence').textContent = note?.sentence ?? ''
  // Screen readers announce the note with its field.
  place.id = `sign-${field}-note`
  part(form, field).setAttribute('aria-describedby', place.id)
  if (note?.isGood === false) part(form, field).setAttribute('aria-invalid', 'true')
  else part(form, field).removeAttribute('aria-invalid')
}

export function part<E extends HTMLElement = HTMLElement>(within: ParentNode, name: string): E {
  const found = within.querySelector<E>(`[data-part="${name}"]`)
  if (!found) throw new Error(`the page has no ${name}`)
  return found
}
