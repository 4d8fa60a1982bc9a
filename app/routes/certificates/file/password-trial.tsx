import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '#app/ui/feedback/notice.tsx'
import type { PasswordFinding } from '#server/domain/efirma/try-password.ts'
import type { Instant } from '#server/domain/time.ts'
import { wordsOfFinding } from '#server/words/described-files.ts'
import { PASSWORD_NEEDED } from '#server/words/efirma.ts'
import css from './file.module.css'
import { FileDescription } from './file-description.tsx'

type Props = {
  files: readonly File[]
  zone: string
  clock: () => Instant
}

/** A PKCS#12 file may have many certificates. */
const LONGEST = 1024 * 1024

/** Tries the password of a private key in the page, and says whether key and certificate belong together. */
export function PasswordTrial({ files, zone, clock }: Props) {
  const [password, setPassword] = useState('')
  const [findings, setFindings] = useState<readonly PasswordFinding[]>([])
  const [isMissing, setIsMissing] = useState(false)

  async function run() {
    setIsMissing(password === '')
    setFindings([])
    if (password === '') return
    const { tryPassword } = await import('#server/domain/efirma/try-password.ts')
    const read = files.map(
      async (file) => new Uint8Array(await file.slice(0, LONGEST).arrayBuffer()),
    )
    setFindings(await tryPassword(await Promise.all(read), password, clock()))
  }

  return (
    <form
      className={css.password}
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <TextInput
        id="trial-password"
        type="password"
        label="Contraseña de la clave privada (opcional)"
        description="Para saber si abre la clave, y si la clave y el certificado van juntos. Se prueba en su equipo."
        error={isMissing && PASSWORD_NEEDED}
        autoComplete="off"
        spellCheck={false}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" variant="default">
        Probar la contraseña
      </Button>
      <div aria-live="polite">
        {findings.map((finding) => (
          <Finding key={JSON.stringify(finding)} finding={finding} zone={zone} />
        ))}
      </div>
    </form>
  )
}

function Finding({ finding, zone }: { finding: PasswordFinding; zone: string }) {
  const { tone, sentences } = wordsOfFinding(finding)
  return (
    <div className={css.file}>
      <Notice tone={tone} isLive={false}>
        {sentences.join(' ')}
      </Notice>
      {finding.kind === 'opens-pkcs12' &&
        finding.certificates.map((certificate) => (
          <FileDescription key={certificate.number} file={certificate} zone={zone} />
        ))}
    </div>
  )
}
