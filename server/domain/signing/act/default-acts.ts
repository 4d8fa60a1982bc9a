import { ActId, type OfficeId } from '#server/domain/ids.ts'
import type { Act, ActRole } from './act.ts'

const role = (character: string, least: number, most: number): ActRole => ({
  character,
  least,
  most,
})

/**
 * What every office starts with. None says whether it may be signed electronically: that is the law of a state, which the office
 * looks up and dates.
 */
const DEFAULTS: readonly (Pick<Act, 'name' | 'roles' | 'notary'> & { id: string })[] = [
  {
    id: '83258b57-429a-498c-9079-cbdaec32c0ba',
    name: 'Compraventa',
    roles: [
      role('Parte vendedora', 1, 10),
      role('Cónyuge de la parte vendedora', 0, 10),
      role('Parte compradora', 1, 10),
      role('Cónyuge de la parte compradora', 0, 10),
    ],
    notary: 'signs',
  },
  {
    id: '9253a8e9-022f-45ba-88e2-e054823d17e1',
    name: 'Compraventa con hipoteca',
    roles: [
      role('Parte vendedora', 1, 10),
      role('Parte compradora', 1, 10),
      role('Cónyuge', 0, 10),
      role('Parte acreedora', 1, 4),
    ],
    notary: 'signs',
  },
  {
    id: '5b344dae-33c9-4231-b529-fb9f91417288',
    name: 'Donación',
    roles: [
      role('Parte donante', 1, 10),
      role('Cónyuge de la parte donante', 0, 10),
      role('Parte donataria', 1, 10),
    ],
    notary: 'signs',
  },
  {
    id: '9c080789-e5b0-48a0-b57d-558986a5c4f2',
    name: 'Hipoteca',
    roles: [
      role('Parte acreedora', 1, 4),
      role('Parte deudora', 1, 10),
      role('Garante', 0, 10),
      role('Cónyuge', 0, 10),
    ],
    notary: 'signs',
  },
  {
    id: 'c6cbb4ac-ff25-411c-9893-33ed1d13c447',
    name: 'Cancelación de hipoteca',
    roles: [role('Parte acreedora', 1, 4)],
    notary: 'signs',
  },
  {
    id: '1fd1f74c-6090-4212-a01f-8de89e32fa66',
    name: 'Poder',
    roles: [role('Poderdante', 1, 20)],
    notary: 'signs',
  },
  {
    id: 'a49b32eb-5b41-4f99-9cc7-84fbb9dd134a',
    name: 'Revocación de poder',
    roles: [role('Poderdante', 1, 20)],
    notary: 'signs',
  },
  {
    id: '2ff0d08b-2eba-4620-a586-661ba33ed739',
    name: 'Testamento',
    roles: [
      role('Otorgante del testamento', 1, 1),
      role('Testigo', 0, 4),
      role('Intérprete', 0, 2),
    ],
    notary: 'signs',
  },
  {
    id: 'd10811f9-ea04-4494-a42b-9ac09a3dd8da',
    name: 'Adjudicación por herencia',
    roles: [role('Persona heredera', 1, 20), role('Albacea', 0, 2)],
    notary: 'signs',
  },
  {
    id: 'ca585815-7388-495c-9b57-0856e65bcfaf',
    name: 'Constitución de sociedad',
    roles: [role('Socio o accionista', 2, 40)],
    notary: 'signs',
  },
  {
    id: 'f6365903-ed5a-4a6e-acbd-f3f67643d877',
    name: 'Protocolización de asamblea',
    roles: [role('Delegado de la asamblea', 1, 4)],
    notary: 'signs',
  },
  {
    id: '3663017b-5ee6-48b9-989f-71336439fd6b',
    name: 'Ratificación de firmas',
    roles: [role('Ratificante', 1, 20)],
    notary: 'signs',
  },
  {
    id: '5ec367ad-699a-4b8e-a0bd-c0f30cb8f3ba',
    name: 'Fe de hechos',
    roles: [role('Solicitante', 1, 4), role('Testigo', 0, 4)],
    notary: 'signs',
  },
  {
    id: 'ba06fc77-595e-466f-8c59-7306af594b9c',
    name: 'Cotejo',
    roles: [role('Solicitante', 0, 4)],
    notary: 'signs',
  },
  {
    id: '824c3fbb-cdc6-44a0-bab9-41f5c3b89120',
    name: 'Convenio privado',
    roles: [role('Parte', 2, 20), role('Testigo', 0, 4)],
    notary: 'absent',
  },
]

/** The acts of an office that has changed none. */
export const defaultActs = (officeId: OfficeId): Act[] =>
  DEFAULTS.map(({ id, name, roles, notary }) => ({
    ...{ id: ActId.parse(id), officeId, name, roles, notary },
    ...{ electronic: null, state: 'active', at: null, by: null },
  }))
