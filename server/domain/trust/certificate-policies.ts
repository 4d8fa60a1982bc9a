import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import { oidOf, sequenceOf, smallIntegerOf, TAG } from '#server/domain/asn1/der-values.ts'
import {
  ID_CERTIFICATE_POLICIES,
  ID_INHIBIT_ANY_POLICY,
  ID_POLICY_CONSTRAINTS,
  ID_POLICY_MAPPINGS,
} from '#server/domain/asn1/object-identifiers.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'

/** What an authority says about policies for those below it. */
export type PolicyStatements = {
  /** Undefined where the certificate names none. */
  policies: readonly string[] | undefined
  /** Policies of the issuer and what they are called below it. */
  mappings: readonly { from: string; to: string }[]
  /** After how many more certificates … there must be a policy; undefined: never. */
  requireExplicit: number | undefined
  /** … no policy may be called otherwise. */
  inhibitMapping: number | undefined
  /** … "any policy" means none. */
  inhibitAny: number | undefined
}

/** @throws {DerError} if one of the extensions is malformed @see RFC 5280, 4.2.1.4, 4.2.1.5, 4.2.1.11, 4.2.1.14 */
export function policyStatementsOf({ extensions }: Certificate): PolicyStatements {
  const read = (id: string) => {
    const extension = extensions.find(({ oid }) => oid === id)
    return extension && readDer(extension.value)
  }
  const [policies, mappings, constraints, inhibitAny] = [
    read(ID_CERTIFICATE_POLICIES),
    read(ID_POLICY_MAPPINGS),
    read(ID_POLICY_CONSTRAINTS),
    read(ID_INHIBIT_ANY_POLICY),
  ]
  return {
    policies:
      policies && sequenceOf(policies).map((information) => oidOf(sequenceOf(information)[0])),
    mappings: mappings ? sequenceOf(mappings).map(readMapping) : [],
    requireExplicit: constraints && skipCountOf(constraints, 0x80),
    inhibitMapping: constraints && skipCountOf(constraints, 0x81),
    inhibitAny: inhibitAny && smallIntegerOf(inhibitAny),
  }
}

function readMapping(node: DerNode) {
  const [from, to, ...more] = sequenceOf(node).map(oidOf)
  if (!from || !to || more.length > 0) throw new DerError('unexpected-structure', 'policy mapping')
  return { from, to }
}

function skipCountOf(constraints: DerNode, tag: number): number | undefined {
  const fields = sequenceOf(constraints)
  if (fields.length === 0) throw new DerError('unexpected-structure', 'policy constraints')
  const field = fields.find((candidate) => candidate.tag === tag)
  return field && smallIntegerOf({ ...field, tag: TAG.integer })
}
