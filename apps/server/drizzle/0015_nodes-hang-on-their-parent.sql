-- A node hangs on its parent; the path of numbers (its key) is put together when it is read, so that a move changes one row.
DROP TRIGGER "nodes_inserted" ON "nodes";--> statement-breakpoint
DROP FUNCTION keep_node_ancestors;--> statement-breakpoint
DROP FUNCTION node_key_path;--> statement-breakpoint
DROP TABLE "node_ancestors";--> statement-breakpoint
ALTER TABLE "nodes" DROP CONSTRAINT "nodes_value_key";--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "number" integer;--> statement-breakpoint
UPDATE "nodes" SET
	"parent_id" = (SELECT "id" FROM "nodes" AS "above" WHERE "above"."key" = "nodes"."parent_key"),
	"number" = split_part("key", ':', -1)::integer;--> statement-breakpoint
-- Nodes whose parent was moved or removed while they were made: below the root again, under a name and number nobody has.
WITH "lost" AS (
	SELECT "nodes"."id", "root"."id" AS "root_id", row_number() OVER (PARTITION BY "root"."id")::integer
		+ greatest("root"."child_mark", (SELECT max("number") FROM "nodes" AS "child" WHERE "child"."parent_id" = "root"."id")) AS "number"
	FROM "nodes" JOIN "nodes" AS "root" ON "root"."org_id" = "nodes"."org_id" AND "root"."parent_key" = ''
	WHERE "nodes"."parent_id" IS NULL AND "nodes"."parent_key" <> ''
)
UPDATE "nodes" SET "parent_id" = "lost"."root_id", "number" = "lost"."number", "value" = left("value", 60) || ' ' || "key"
	FROM "lost" WHERE "lost"."id" = "nodes"."id";--> statement-breakpoint
UPDATE "nodes" SET "child_mark" = "highest"."number" + 1
	FROM (SELECT "parent_id", max("number") AS "number" FROM "nodes" GROUP BY "parent_id") AS "highest"
	WHERE "highest"."parent_id" = "nodes"."id" AND "nodes"."child_mark" <= "highest"."number";--> statement-breakpoint
DROP INDEX "nodes_root_key";--> statement-breakpoint
ALTER TABLE "nodes" DROP COLUMN "key";--> statement-breakpoint
ALTER TABLE "nodes" DROP COLUMN "parent_key";--> statement-breakpoint
ALTER TABLE "nodes" ALTER COLUMN "number" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "nodes_parent_idx" ON "nodes" USING btree ("parent_id","id");--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_parent_id_nodes_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_root_number_key" ON "nodes" USING btree ("number") WHERE "nodes"."parent_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_root_key" ON "nodes" USING btree ("org_id") WHERE "nodes"."parent_id" is null;--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_value_key" UNIQUE("parent_id","value");--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_number_key" UNIQUE("parent_id","number");--> statement-breakpoint
CREATE TABLE "node_branches" (
	"ancestor_id" uuid NOT NULL,
	"branch_id" uuid NOT NULL,
	"distance" integer NOT NULL,
	CONSTRAINT "node_branches_ancestor_id_branch_id_pk" PRIMARY KEY("ancestor_id","branch_id")
);--> statement-breakpoint
CREATE INDEX "node_branches_branch_idx" ON "node_branches" USING btree ("branch_id","ancestor_id");--> statement-breakpoint
-- For any tree (a table with id and parent_id) and the table of its branches, which is the argument of the triggers: each row that has
-- children with itself and everything above it. Rows without children are reached by their parent_id, so they may be many and move freely.
CREATE FUNCTION tree_grow(tree text, branches text, parents uuid[]) RETURNS void LANGUAGE plpgsql AS $$
begin
	execute format('insert into %2$I (ancestor_id, branch_id, distance)
		with recursive up (ancestor_id, branch_id, distance) as (
			select parent.id, parent.id, 0 from unnest($1) as parent (id)
				where not exists (select from %2$I as known where known.ancestor_id = parent.id and known.branch_id = parent.id)
			union all
			select above.parent_id, up.branch_id, up.distance + 1 from up join %1$I as above on above.id = up.ancestor_id
				where above.parent_id is not null
		) select ancestor_id, branch_id, distance from up', tree, branches) using parents;
end
$$;--> statement-breakpoint
CREATE FUNCTION tree_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	perform tree_grow(tg_table_name, tg_argv[0], array(select distinct parent_id from new_rows where parent_id is not null));
	return null;
end
$$;--> statement-breakpoint
CREATE FUNCTION tree_moved() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	perform tree_grow(tg_table_name, tg_argv[0], array[new.parent_id]);
	-- What is within the part that moves stays above what it was above.
	execute format('delete from %1$I where branch_id in (select branch_id from %1$I where ancestor_id = $1)
		and ancestor_id in (select ancestor_id from %1$I where branch_id = $2)', tg_argv[0]) using new.id, old.parent_id;
	execute format('insert into %1$I (ancestor_id, branch_id, distance)
		select above.ancestor_id, below.branch_id, above.distance + 1 + below.distance from %1$I as above cross join %1$I as below
			where above.branch_id = $2 and below.ancestor_id = $1', tg_argv[0]) using new.id, new.parent_id;
	return null;
end
$$;--> statement-breakpoint
CREATE FUNCTION tree_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	execute format('delete from %I as gone using old_rows where gone.branch_id = old_rows.id', tg_argv[0]);
	return null;
end
$$;--> statement-breakpoint
SELECT tree_grow('nodes', 'node_branches', array(SELECT DISTINCT "parent_id" FROM "nodes" WHERE "parent_id" IS NOT NULL));--> statement-breakpoint
CREATE TRIGGER "nodes_inserted" AFTER INSERT ON "nodes" REFERENCING NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION tree_inserted('node_branches');--> statement-breakpoint
CREATE TRIGGER "nodes_moved" AFTER UPDATE OF "parent_id" ON "nodes" FOR EACH ROW
	WHEN (old.parent_id IS DISTINCT FROM new.parent_id) EXECUTE FUNCTION tree_moved('node_branches');--> statement-breakpoint
CREATE TRIGGER "nodes_deleted" AFTER DELETE ON "nodes" REFERENCING OLD TABLE AS old_rows
	FOR EACH STATEMENT EXECUTE FUNCTION tree_deleted('node_branches');
