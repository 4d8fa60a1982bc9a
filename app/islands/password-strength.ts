/** After the last key: long enough not to ask for each letter, short enough to be read while typing. */
const PAUSE_MS = 400

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
        body: new URLSearchParams({ password: field?.value ?? '', ...namesOf(field?.form) }),
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

/** What is typed beside the password: nobody should choose it as one. */
function namesOf(form: HTMLFormElement | null | undefined): Record<string, string> {
  const named = form?.querySelectorAll<HTMLInputElement>('[data-word]') ?? []
  return Object.fromEntries([...named].map(({ name, value }) => [name, value]))
}

const element = document.querySelector<HTMLElement>('[data-island="password-strength"]')
if (element) mount(element)
