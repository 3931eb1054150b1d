import { Organization } from '@sallyport/contract/resources/orgs'
import type { RelationSource } from '../../kit/relation/relation.ts'

/** One of the organizations, by its bare id. */
export const organizationSource: RelationSource = { path: Organization.path, plain: true }
