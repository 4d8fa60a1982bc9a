/*
 * Rejects a signing session with an e.firma: the key signs the statement in this page and never leaves it. The page has no form
 * until `mount` has completed, so a failed load cannot submit anything.
 */
import {
  type RejectionFacts,
  rejectionStatement,
} from '#server/domain/efirma/rejection-statement.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { efirmaForm, factsOf, formIn, part } from './efirma-form.ts'
import { NO_CONNECTION, UNEXPECTED } from './form-outcome.ts'
import { onShown } from './on-shown.ts'
import { openEfirma, type SigningField } from './signing-flow.ts'
import { toBase64 } from './signing-server.ts'

type Refusal = { kind: 'refused'; sentence: string; field?: SigningField | undefined }
type Outcome = { kind: 'rejected'; address: string } | Refusal

function mount(element: HTMLElement): void {
  const { csrf = '', reason = '', rejection = '{}' } = element.dataset
  const form = formIn(element)
  const facts = factsOf(element)
  const fields = efirmaForm(form, facts)
  const problem = part(form, 'problem')
  let isBusy = false

  addEventListener('pagehide', () => fields.forget())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (isBusy || fields.isIncomplete()) return
    isBusy = true
    fields.allow(false)
    problem.hidden = true
    const outcome = await reject().catch((): Refusal => ({ kind: 'refused', sentence: UNEXPECTED }))
    if (outcome.kind === 'refused') return refuse(outcome)
    form.reset()
    location.assign(outcome.address)
  })

  async function reject(): Promise<Outcome> {
    const opened = await openEfirma(await fields.read())
    if ('kind' in opened) return opened
    const at = Math.trunc(facts().now)
    const statement = rejectionStatement(JSON.parse(rejection) as RejectionFacts, { reason, at })
    const signature = await signWith(opened.key, statement)
    return await send({
      ...{ csrf, reason, at: String(at) },
      certificate: toBase64(opened.certificate.der),
      signature: toBase64(signature),
    })
  }

  /** Keeps the files and the password: the user corrects only what was wrong. */
  function refuse({ sentence, field }: Refusal) {
    isBusy = false
    fields.allow(true)
    if (field) return fields.refuse(field, sentence)
    problem.textContent = sentence
    problem.hidden = false
  }

  element.append(form)
  part(element, 'waiting').hidden = true
  form.hidden = false
  fields.allow(true)
}

async function send(fields: Record<string, string>): Promise<Outcome> {
  let answer: unknown
  try {
    const body = new URLSearchParams(fields)
    const response = await fetch('/sign/reject/efirma', { method: 'POST', body, redirect: 'error' })
    answer = await response.json()
  } catch {
    return { kind: 'refused', sentence: NO_CONNECTION }
  }
  return outcomeIn(answer) ?? { kind: 'refused', sentence: UNEXPECTED }
}

function outcomeIn(answer: unknown): Outcome | undefined {
  if (typeof answer !== 'object' || answer === null || !('kind' in answer)) return undefined
  if (answer.kind === 'rejected' && 'address' in answer)
    return { kind: 'rejected', address: String(answer.address) }
  if (answer.kind !== 'refused' || !('sentence' in answer)) return undefined
  const field = 'field' in answer && answer.field === 'certificate' ? answer.field : undefined
  return { kind: 'refused', sentence: String(answer.sentence), field }
}

onShown('[data-island="reject-with-efirma"]', mount)
