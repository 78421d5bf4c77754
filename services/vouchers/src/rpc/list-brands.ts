import type { Empty } from '@cofre/proto/google/protobuf/empty'
import { VoucherCardType, VoucherFlow, type ListBrandsResponse } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'

export async function listBrands({ brands }: Deps, _request: Empty): Promise<ListBrandsResponse> {
  return {
    brands: [...brands.values()].map(({ name, flow, cardTypes, availableFrom = '' }) => ({
      brand: name,
      flow: VoucherFlow[flow],
      cardTypes: cardTypes.map((type) => VoucherCardType[type]),
      cancels: availableFrom === '',
      availableFrom,
    })),
  }
}
