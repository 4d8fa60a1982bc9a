/** After the last key: long enough not to ask for each letter, short enough to be read while typing. */
const PAUSE_MS = 400

/** The fields whose contents are no secret. */
const TYPED = 'input:not([type=password], [type=hidden])'

type Strength = { score: number; sentence: string }

/**
 * Says while a password is typed how hard it is to guess, as the server judges it. When the server does
 * not answer nothing is said: the form itself is judged again when it is sent.
 */
export function mount(element: HTMLElement): void {
  const { address, csrf } = element.dataset
  const field = document.getElementById(element.dataset.field ?? '') as HTMLInputElement | null
  const meter = element.querySelector('meter')
  const sentence = element.querySelector<HTMLElement>('[data-part="sentence"]')
  if (!field || !meter || !sentence || !address || !csrf) return

  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = new AbortController()

  field.addEventListener('input', () => {
    forgetRefusal(field)
    clearTimeout(timer)
    asked.abort()
    if (field.value === '') element.hidden = true
    else timer = setTimeout(ask, PAUSE_MS)
  })

  async function ask() {
    asked = new AbortController()
    try {
      const response = await fetch(address ?? '', {
        method: 'POST',
        headers: { 'X-CSRFToken': csrf ?? '' },
        body: typedIn(field?.form, field?.value ?? ''),
        cache: 'no-store',
        signal: asked.signal,
      })
      if (response.ok) show(await response.json())
    } catch {
      // Typed on meanwhile, or no connection: the next pause asks again.
    }
  }

  function show(strength: Strength) {
    if (!meter || !sentence) return
    meter.value = strength.score
    sentence.textContent = strength.sentence
    element.hidden = false
  }
}

/** What was wrong with the password that was sent is untrue of the next one. */
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

/** The password, and what is typed beside it: the code says whose it is, and a name is a poor password. */
function typedIn(form: HTMLFormElement | null | undefined, password: string): URLSearchParams {
  const typed = new URLSearchParams({ password })
  for (const { name, value } of form?.querySelectorAll<HTMLInputElement>(TYPED) ?? [])
    typed.append(name === 'code' ? 'code' : 'words', value)
  return typed
}

const element = document.querySelector<HTMLElement>('[data-island="password-strength"]')
if (element) mount(element)
