import { onShown } from './on-shown.ts'

/** Pause after the last key: avoids a request per letter, yet answers while the user types. */
const PAUSE_MS = 400

/** Fields without secrets. */
const TYPED = 'input:not([type=password], [type=hidden])'

type Strength = { score: number; sentence: string }

/**
 * Shows how strong a password is while the user types it, as judged by the server. Without a response it
 * shows nothing; the server judges the form again on submission.
 */
function mount(element: HTMLElement): void {
  const { address, csrf } = element.dataset
  const field = document.getElementById(element.dataset.field ?? '') as HTMLInputElement | null
  const meter = element.querySelector('meter')
  const sentence = element.querySelector<HTMLElement>('[data-part="sentence"]')
  if (!field || !meter || !sentence || !address || !csrf) return

  let timer: ReturnType<typeof setTimeout> | undefined
  let pending = new AbortController()

  field.addEventListener('input', () => {
    forgetRefusal(field)
    clearTimeout(timer)
    pending.abort()
    if (field.value === '') element.hidden = true
    else timer = setTimeout(ask, PAUSE_MS)
  })

  async function ask() {
    pending = new AbortController()
    try {
      const response = await fetch(address ?? '', {
        method: 'POST',
        headers: { 'X-CSRFToken': csrf ?? '' },
        body: typedIn(field?.form, field?.value ?? ''),
        cache: 'no-store',
        signal: pending.signal,
      })
      if (response.ok) show(await response.json())
    } catch {
      // Superseded by newer input, or no connection: the next pause retries.
    }
  }

  function show(strength: Strength) {
    if (!meter || !sentence) return
    meter.value = strength.score
    sentence.textContent = strength.sentence
    element.hidden = false
  }
}

/** The error of the submitted password does not apply to the new one. */
function forgetRefusal(field: HTMLInputElement): void {
  const error = document.getElementById(`${field.id}-error`)
  if (!error) return
  error.remove()
  for (const marked of [field, field.parentElement, ...(field.parentElement?.children ?? [])])
    marked?.removeAttribute('data-error')
  field.removeAttribute('aria-invalid')
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? []
  field.setAttribute('aria-describedby', described.filter((id) => id !== error.id).join(' '))
}

/**
 * Returns the password and the fields beside it: the code identifies the account, and a password with the
 * owner's name is weak.
 */
function typedIn(form: HTMLFormElement | null | undefined, password: string): URLSearchParams {
  const typed = new URLSearchParams({ password })
  for (const { name, value } of form?.querySelectorAll<HTMLInputElement>(TYPED) ?? [])
    typed.append(name === 'code' ? 'code' : 'words', value)
  return typed
}

onShown('[data-island="password-strength"]', mount)
