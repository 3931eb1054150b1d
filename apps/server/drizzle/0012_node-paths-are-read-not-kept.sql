DROP INDEX "nodes_parent_idx";--> statement-breakpoint
DROP INDEX "nodes_org_idx";--> statement-breakpoint
DROP INDEX "nodes_full_value_trgm";--> statement-breakpoint
ALTER TABLE "nodes" DROP COLUMN "full_value";--> statement-breakpoint
-- Siblings of one name, as two who made them at the same time could leave them.
UPDATE "nodes" SET "value" = left("value", 100) || ' ' || "key" WHERE "parent_key" <> '' AND EXISTS (
	SELECT 1 FROM "nodes" AS "older" WHERE "older"."parent_key" = "nodes"."parent_key"
		AND "older"."value" = "nodes"."value" AND "older"."key" < "nodes"."key"
);--> statement-breakpoint
CREATE INDEX "nodes_order_idx" ON "nodes" USING btree ("org_id","value","id");--> statement-breakpoint
CREATE INDEX "nodes_value_trgm" ON "nodes" USING gin ("value" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_value_key" UNIQUE("parent_key","value");
--> statement-breakpoint
-- Moves keep the ancestors themselves: only those above what is moved change.
DROP TRIGGER "nodes_moved" ON "nodes";--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_node_ancestors() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	insert into node_ancestors (ancestor_id, node_id)
		select above.id, new_nodes.id
		from new_nodes
		cross join lateral unnest(node_key_path(new_nodes.key)) as path (key)
		join nodes as above on above.key = path.key;
	return null;
end
$$;
