import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { errors } from '#app/messages/errors.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import type { PasswordFinding } from '#server/domain/efirma/try-password.ts'
import type { Instant } from '#server/domain/time.ts'
import { wordsOfFinding } from '#server/words/described-files.ts'
import { PASSWORD_NEEDED } from '#server/words/efirma.ts'
import css from './file.module.css'
import { FileDescription } from './file-description.tsx'
import { firstBytes, UNREADABLE } from './first-bytes.ts'

type Props = {
  files: readonly File[]
  zone: string
  clock: () => Instant
}

type Trial = { findings: readonly PasswordFinding[]; fault?: string; isMissing?: boolean }

/** Tries the password of a private key in the page, and says whether key and certificate belong together. */
export function PasswordTrial({ files, zone, clock }: Props) {
  const [password, setPassword] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [trial, setTrial] = useState<Trial>({ findings: [] })

  async function run() {
    if (password === '') return setTrial({ findings: [], isMissing: true })
    setIsBusy(true)
    const done = await tryAll(files, password, clock())
    setIsBusy(false)
    setTrial(done)
    if (done.findings.every(({ kind }) => !kind.endsWith('refused'))) setPassword('')
  }

  return (
    <form
      className={css.password}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void run()
      }}
    >
      <TextInput
        id="trial-password"
        type="password"
        label="Contraseña de la clave privada (opcional)"
        description="Para saber si abre la clave, y si la clave y el certificado van juntos. Se prueba en su equipo."
        error={trial.isMissing && PASSWORD_NEEDED}
        autoComplete="off"
        spellCheck={false}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" variant="default" aria-busy={isBusy || undefined}>
        Probar la contraseña
      </Button>
      <div aria-live="polite" className={css.file}>
        {trial.fault && <Notice tone="bad">{trial.fault}</Notice>}
        {trial.findings.map((finding) => (
          <Finding
            key={keyOf(finding)}
            finding={finding}
            name={files[finding.place]?.name}
            zone={zone}
          />
        ))}
      </div>
    </form>
  )
}

/** Never throws: a fault is part of the trial. */
async function tryAll(files: readonly File[], password: string, now: Instant): Promise<Trial> {
  const module = await import('#server/domain/efirma/try-password.ts').catch(() => undefined)
  if (!module) return { findings: [], fault: errors.connection }
  try {
    const read = await Promise.all(files.map(firstBytes))
    return { findings: await module.tryPassword(read, password, now) }
  } catch {
    return { findings: [], fault: UNREADABLE }
  }
}

const keyOf = (finding: PasswordFinding) =>
  `${finding.place} ${'certificate' in finding ? finding.certificate.number : ''}`

type FindingProps = { finding: PasswordFinding; name: string | undefined; zone: string }

function Finding({ finding, name, zone }: FindingProps) {
  const { tone, sentences } = wordsOfFinding(finding)
  return (
    <div className={css.file}>
      <Notice tone={tone} {...(name && { title: name })} isLive={false}>
        {sentences.join(' ')}
      </Notice>
      {finding.kind === 'opens-pkcs12' &&
        finding.certificates.map((certificate) => (
          <FileDescription key={certificate.number} file={certificate} zone={zone} />
        ))}
    </div>
  )
}
