import type { Instant } from '#server/domain/time.ts'
import {
  type EfirmaFiles,
  type FileNote,
  noteOnCertificate,
  noteOnKey,
  noteOnPkcs12,
  type SigningField,
} from './signing-flow.ts'

/** No certificate and no key is larger; a scanned deed that was chosen by mistake is not read whole. */
const FILE_LIMIT = 64 * 1024

const MISSING: Record<Exclude<SigningField, 'pkcs12'>, string> = {
  certificate: 'Elija el archivo .cer de su e.firma.',
  key: 'Elija el archivo .key de su e.firma.',
  password: 'Escriba la contraseña de la clave privada.',
}

/** Who must sign, and by which clock. */
export type FormFacts = Pick<EfirmaFiles, 'rfc' | 'now' | 'zone'>

/** The form of the template in `element`, not yet in the page: whoever asks puts it there at last. */
export function formIn(element: HTMLElement): HTMLFormElement {
  const content = part<HTMLTemplateElement>(element, 'form').content.cloneNode(true)
  const form = (content as DocumentFragment).querySelector('form')
  if (!form) throw new Error('no form to sign with')
  return form
}

/** What the page says about who signs; the clock goes on with the page. */
export function factsOf({ dataset }: HTMLElement): () => FormFacts {
  const { rfc = '', zone = '', now = '' } = dataset
  const begun = performance.now()
  return () => ({ rfc, zone, now: (Number(now) + performance.now() - begun) as Instant })
}

const FIELDS = ['certificate', 'key', 'password', 'pkcs12'] as const

/** The two files, or the one in place of them, and the password, with what is said under each. */
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
      // What the style sheet of the button looks at.
      button.toggleAttribute('data-disabled', !isAllowed)
    },

    /** Says what is missing, and leads there. */
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

    /** Where the one file was chosen, what is said of the certificate is said of it. */
    refuse(refused: SigningField, sentence: string) {
      const field = refused === 'certificate' && pkcs12.files?.[0] ? 'pkcs12' : refused
      showNote(form, field, { isGood: false, sentence })
      part(form, field).closest('details')?.setAttribute('open', '')
      part(form, field).focus()
    },

    /** Nothing of what was chosen and typed stays. */
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
  // Whoever hears the page instead of seeing it hears the sentence with its field.
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
