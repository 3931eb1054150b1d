import { AssetCategories } from '@sallyport/contract/resources/categories'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../kit/api/call.ts'

/** What kinds of asset there are, as they are called in the person's language; asked for when the console begins. */
export const assetCategories = queryOptions({
  queryKey: ['asset-categories'],
  queryFn: ({ signal }) => call(AssetCategories, 'list', {}, { signal }),
  staleTime: Infinity,
})

export const useCategories = () => useQuery(assetCategories)
