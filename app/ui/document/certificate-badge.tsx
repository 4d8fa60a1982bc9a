import { Badge } from '#app/ui/feedback/badge.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type { CertificateStanding } from '#server/domain/identity/held-certificate.ts'
import { certificateStandings } from '#server/words/certificates.ts'

const LOOKS: Record<CertificateStanding, { tone: Tone; icon: IconName }> = {
  'in-force': { tone: 'good', icon: 'check' },
  expiring: { tone: 'wait', icon: 'clock' },
  expired: { tone: 'bad', icon: 'cross' },
  revoked: { tone: 'bad', icon: 'cross' },
  'not-yet-valid': { tone: 'plain', icon: 'clock' },
}

export function CertificateBadge({ standing }: { standing: CertificateStanding }) {
  return <Badge {...LOOKS[standing]}>{certificateStandings[standing]}</Badge>
}
